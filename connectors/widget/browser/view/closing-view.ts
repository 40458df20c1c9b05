import type { Look, Rating, State } from '../types.ts';
import { formatText, h, icon } from './dom.ts';

interface ClosingParts {
  /** Resolves when the rating is stored. */
  readonly rate: (rating: Rating) => Promise<unknown>;
  /** The chat that shows it. */
  readonly chat: {
    announce(text: string): void;
    setNotice(text: string | null): void;
    keepUp(): void;
  };
}

/** The texts and the mouths of the five scores, from 1 to 5. */
const scores = [
  { label: 'veryBad', mouth: 'M8 16.5c1-2 2.4-3 4-3s3 1 4 3' },
  { label: 'bad', mouth: 'M8.5 16c1-1 2.2-1.5 3.5-1.5s2.5.5 3.5 1.5' },
  { label: 'middling', mouth: 'M8.5 15.2h7' },
  { label: 'good', mouth: 'M8.5 14c1 1 2.2 1.5 3.5 1.5s2.5-.5 3.5-1.5' },
  { label: 'veryGood', mouth: 'M7.8 13.5h8.4c-.4 2.4-2 4-4.2 4s-3.8-1.6-4.2-4Z' },
] as const;
const face = ['M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z', 'M9 9.5v.5', 'M15 9.5v.5'] as const;
const maxCommentChars = 4_000;

/** The end of a conversation that was closed, and the question how it was. */
export class ClosingView {
  readonly element = h('div', { class: 'closing', hidden: true });
  readonly #texts: Look['texts'];
  readonly #parts: ClosingParts;
  #shown = '';

  constructor({ texts }: Look, parts: ClosingParts) {
    this.#texts = texts;
    this.#parts = parts;
  }

  /** Leaves a form that the visitor fills in as it is. */
  show({ status, agent, rating = null }: State): void {
    if (status !== 'closed') {
      this.hide();
      return;
    }
    const texts = this.#texts;
    const line = agent === null ? (texts.closed ?? '') : formatText(texts.closedBy, { name: agent });
    const key = JSON.stringify([line, rating]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.hidden = false;
    this.element.replaceChildren(h('p', { class: 'closed' }, line));
    if (rating !== null) this.element.append(rating.score === null ? this.#form() : this.#thanks());
    this.#parts.chat.announce(rating?.score === null ? `${line} ${texts.howWasIt}` : line);
    this.#parts.chat.keepUp();
  }

  hide(): void {
    this.#shown = '';
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  #thanks(): HTMLElement {
    return h('p', { class: 'thanks' }, this.#texts.rated ?? '');
  }

  #form(): HTMLElement {
    const texts = this.#texts;
    const comment = h('textarea', {
      rows: 2,
      dir: 'auto',
      maxlength: maxCommentChars,
      'aria-label': texts.addComment,
      placeholder: texts.addComment,
    });
    const send = h('button', { type: 'submit' }, texts.sendRating ?? '');
    const more = h('div', { class: 'more', hidden: true }, comment, send);
    const choose = () => {
      more.hidden = false;
      this.#parts.chat.keepUp();
    };
    const submit = async (event: Event) => {
      event.preventDefault();
      const score = Number(new FormData(form).get('score'));
      if (score === 0 || send.disabled) return;
      send.disabled = true;
      await this.#parts.rate({ score, comment: comment.value.trim() || null }).then(
        () => {
          form.replaceWith(this.#thanks());
          this.#parts.chat.setNotice(null);
          this.#parts.chat.announce(texts.rated ?? '');
          this.#parts.chat.keepUp();
        },
        () => {
          send.disabled = false;
          this.#parts.chat.setNotice(texts.failed ?? '');
        },
      );
    };
    const choices = scores.map(({ label, mouth }, index) =>
      h(
        'label',
        {},
        h('input', { type: 'radio', name: 'score', value: index + 1, onchange: choose }),
        h('span', { class: 'score' }, icon(...face, mouth), h('span', {}, texts[label] ?? '')),
      ),
    );
    const form = h(
      'form',
      { class: 'rating', onsubmit: submit },
      h('fieldset', {}, h('legend', {}, texts.howWasIt ?? ''), h('div', { class: 'scores' }, ...choices)),
      more,
    );
    return form;
  }
}
