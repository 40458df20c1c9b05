import type { Message, SentFile, Source } from '../types.ts';
import { formatSize, formatText, h, icon, icons } from './dom.ts';
import { parseSafeUrl } from './markdown.ts';
import { createMarkdownView } from './markdown-view.ts';

export interface MessageActions {
  readonly texts: Record<string, string>;
  readonly language: string;
  /** Returns the whole address of a link to a file. */
  readonly link: (url: string) => string;
  /** Resolves when the rating is stored. */
  readonly judge: (id: string, value: 'up' | 'down' | null, comment?: string) => Promise<unknown>;
  /** Asks for a person. */
  readonly human: () => void;
}

const maxSources = 3;

type Finished = Pick<
  Message,
  'id' | 'sources' | 'related' | 'feedback' | 'cut' | 'handover' | 'tier' | 'lead'
>;

/** A message in the view, which may still be streamed. */
export class MessageView {
  readonly element: HTMLElement;
  readonly role: Message['role'];
  readonly #body = h('div', { class: 'body', dir: 'auto' });
  readonly #actions: MessageActions;
  readonly #show: (text: string) => void;
  /** The names of its files. */
  readonly #names: readonly string[];
  #text = '';
  #frame = 0;

  constructor(
    message: Pick<Message, 'role' | 'content' | 'author'> & Partial<Message>,
    actions: MessageActions,
  ) {
    this.#actions = actions;
    const { role, author, attachments = [] } = message;
    const { texts } = actions;
    const body = this.#body;
    this.role = role;
    this.#names = attachments.flatMap(({ name }) => name ?? []);
    const speaker = role === 'user' ? texts.you : (author ?? texts.assistant);
    const name =
      role === 'agent'
        ? h('span', { class: 'author' }, createBadge(speaker ?? ''), speaker ?? '')
        : hidden(`${speaker}: `);
    this.element = h('li', { class: `message ${role}` }, name, body);
    if (attachments.length > 0) {
      body.hidden = message.content === '';
      this.element.append(createFileList(attachments, actions));
    }
    if (role === 'user') this.#show = (text) => body.replaceChildren(text);
    else this.#show = createMarkdownView(body);
    this.#text = message.content;
    this.#draw();
  }

  get text(): string {
    return this.#text;
  }

  /** The text without markup, for screen readers. */
  get spoken(): string {
    return [this.#body.innerText, ...this.#names].filter((text) => text !== '').join(' ');
  }

  remove(): void {
    this.element.remove();
  }

  setWriting(isWriting: boolean): void {
    this.element.classList.toggle('writing', isWriting);
  }

  /** Marks a message that could not be sent. */
  setFailed(isFailed: boolean): void {
    this.element.classList.toggle('failed', isFailed);
    for (const button of this.element.querySelectorAll('.again')) button.remove();
  }

  /** Adds a button for the next step after a failure. */
  offer(label: string, act: () => void): void {
    this.element.append(h('button', { type: 'button', class: 'again', onclick: act }, label));
  }

  /** Appends streamed text, drawn with the next frame. */
  append(text: string): void {
    this.#text += text;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#draw());
    // Pages in the background draw no frames.
    if (document.hidden) this.#draw();
  }

  /** Completes an answer: shows its sources and its tools. */
  finish(message: Finished): void {
    this.#draw();
    const { texts, human } = this.#actions;
    this.element.dataset.id = message.id;
    if (message.cut) this.element.append(h('p', { class: 'cut' }, texts.cut ?? ''));
    if (message.tier === 'maybe') {
      this.#finishUnsure(message);
      return;
    }
    if (message.sources.length > 0) this.element.append(sourcesView(texts.sources, message.sources));
    if (message.related.length > 0) {
      const related = sourcesView(texts.related, message.related);
      related.classList.add('related');
      if (!message.handover)
        related.append(
          h('button', { type: 'button', class: 'ask', onclick: () => human() }, texts.human ?? ''),
        );
      this.element.append(related);
    }
    if (!message.handover) this.element.append(this.#tools(message));
  }

  /** Shows an answer that says it is unsure as a card with its source, and asks whether it helped. */
  #finishUnsure({ id, sources, feedback, handover, lead }: Finished): void {
    if (lead !== null) markLead(this.#body, lead);
    const card = h('div', { class: 'unsure' });
    this.#body.before(card);
    const rows = distinctSources(sources).map((source) => sourceRow(source, this.#actions));
    card.append(this.#body, ...rows);
    // Several questions have their own headings in the text.
    const path = this.#text.startsWith('**') ? [] : (sources[0]?.headings ?? []);
    if (path.length > 0) this.#body.firstElementChild?.after(h('p', { class: 'heading' }, path.join(' › ')));
    this.element.classList.add('maybe');
    if (!handover) this.element.append(feedback === 'up' ? this.#thanks() : this.#nextSteps(id));
  }

  #nextSteps(id: string): HTMLElement {
    const { texts, judge, human } = this.#actions;
    const helped = async () => {
      const stored = await judge(id, 'up').catch(() => null);
      if (stored === null) return;
      const thanks = this.#thanks();
      steps.replaceWith(thanks);
      thanks.focus();
    };
    const steps = h(
      'div',
      { class: 'steps' },
      h('button', { type: 'button', onclick: helped }, icon(...icons.check), texts.thatHelped ?? ''),
      h(
        'button',
        { type: 'button', class: 'person', onclick: () => human() },
        icon(...icons.person),
        texts.askPerson ?? '',
      ),
    );
    return steps;
  }

  #thanks(): HTMLElement {
    const { thatHelped = '', thanks = '' } = this.#actions.texts;
    return h(
      'p',
      { class: 'helped', role: 'status', tabindex: -1 },
      icon(...icons.check),
      `${thatHelped}. ${thanks}`,
    );
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#show(this.#text);
  }

  #tools({ id, feedback }: Pick<Message, 'id' | 'feedback'>): HTMLElement {
    const { texts, judge } = this.#actions;
    const tools = h('div', { class: 'tools' });
    let value = feedback;
    const thumb = (own: 'up' | 'down', label: string, picture: readonly string[]) => {
      const press = async () => {
        value = value === own ? null : own;
        updatePressed();
        tools.querySelector('form')?.remove();
        await judge(id, value).catch(() => undefined);
        if (value === 'down') tools.append(this.#commentForm(id));
      };
      return h(
        'button',
        { type: 'button', class: 'tool', 'aria-label': label, title: label, onclick: press },
        icon(...picture),
      );
    };
    const up = thumb('up', texts.helpful ?? '', icons.up);
    const down = thumb('down', texts.unhelpful ?? '', icons.downvote);
    const updatePressed = () => {
      up.setAttribute('aria-pressed', String(value === 'up'));
      down.setAttribute('aria-pressed', String(value === 'down'));
    };
    updatePressed();
    tools.append(up, down, this.#copyButton());
    return tools;
  }

  #copyButton(): HTMLElement {
    const { texts } = this.#actions;
    const label = texts.copy ?? '';
    const copy = async () => {
      await navigator.clipboard.writeText(this.#text).catch(() => undefined);
      button.replaceChildren(icon(...icons.check));
      button.setAttribute('aria-label', texts.copied ?? '');
      setTimeout(() => {
        button.replaceChildren(icon(...icons.copy));
        button.setAttribute('aria-label', label);
      }, 1_500);
    };
    const button = h(
      'button',
      { type: 'button', class: 'tool', 'aria-label': label, title: label, onclick: copy },
      icon(...icons.copy),
    );
    return button;
  }

  #commentForm(id: string): HTMLElement {
    const { texts, judge } = this.#actions;
    const input = h('input', {
      type: 'text',
      maxlength: 2_000,
      'aria-label': texts.whatWasWrong,
      placeholder: texts.whatWasWrong,
    });
    const send = async (event: Event) => {
      event.preventDefault();
      if (input.value.trim() !== '') await judge(id, 'down', input.value.trim()).catch(() => undefined);
      form.replaceChildren(h('span', { class: 'caption', role: 'status' }, texts.thanks ?? ''));
    };
    const form = h(
      'form',
      { class: 'inline', onsubmit: send },
      input,
      h('button', { type: 'submit' }, texts.sendComment ?? ''),
    );
    requestAnimationFrame(() => input.focus());
    return form;
  }
}

/** Marks the sentence that answers, if it stands unbroken in the text. The words before it are the head of the card. */
function markLead(body: HTMLElement, lead: string): void {
  const head = body.firstElementChild?.textContent ?? '';
  const sentence = lead.startsWith(head) ? lead.slice(head.length).trim() : lead;
  const nodes = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null && sentence !== ''; node = nodes.nextNode()) {
    const start = node.textContent?.indexOf(sentence) ?? -1;
    if (start < 0) continue;
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, start + sentence.length);
    range.surroundContents(h('mark'));
    return;
  }
}

function distinctSources(sources: Source[]): Source[] {
  const distinct = new Map(sources.map((source) => [source.url ?? source.title, source]));
  return [...distinct.values()].slice(0, maxSources);
}

/** A source in one line, with the date of its document. */
function sourceRow(
  source: Source,
  { texts, language }: Pick<MessageActions, 'texts' | 'language'>,
): HTMLElement {
  const href = addressOf(source);
  const inner = [icon(...icons.file), h('span', { dir: 'auto' }, nameOf(source))];
  const name =
    href === null
      ? h('span', { class: 'from' }, ...inner)
      : h('a', { class: 'from', href, target: '_blank', rel: 'noopener noreferrer' }, ...inner);
  const { changed_at: changed = null } = source;
  if (changed === null) return h('div', { class: 'origin' }, name);
  const date = new Date(changed);
  const when = formatText(texts.changed, { when: daysAgo(date, new Date(), language) });
  const title = date.toLocaleDateString(language, { dateStyle: 'long' });
  return h('div', { class: 'origin' }, name, h('time', { datetime: changed, title }, when));
}

/** Returns "today", "5 days ago" or "2 years ago", by the calendar of the visitor. */
function daysAgo(date: Date, now: Date, language: string): string {
  const dayOf = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000;
  const days = Math.max(0, dayOf(now) - dayOf(date));
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (days < 60) return words.format(-days, 'day');
  return days < 730
    ? words.format(-Math.floor(days / 30), 'month')
    : words.format(-Math.floor(days / 365), 'year');
}

function sourcesView(caption: string | undefined, sources: Source[]): HTMLElement {
  const cards = distinctSources(sources).map((source) => h('li', {}, card(source)));
  return h(
    'div',
    { class: 'sources' },
    h('span', { class: 'caption' }, caption ?? ''),
    h('ul', {}, ...cards),
  );
}

/** Returns the title with the place of the passage: `Manual, page 112`. */
function nameOf({ title, place }: Source): string {
  return place !== null ? `${title}, ${place.label}` : title;
}

function addressOf({ url, place }: Source): string | null {
  const address = place?.url ?? url;
  return address === null ? null : parseSafeUrl(address);
}

function card(source: Source): HTMLElement {
  const href = addressOf(source);
  const title = nameOf(source);
  const place = href?.startsWith('http') ? new URL(href).hostname.replace(/^www\./, '') : undefined;
  const inner = [
    h('span', { class: 'mark' }, icon(...(href === null ? icons.file : icons.link))),
    h(
      'span',
      { class: 'about' },
      h('span', { class: 'name', dir: 'auto' }, title),
      place ? h('span', { class: 'place', dir: 'ltr' }, place) : null,
      h('span', { class: 'snippet', dir: 'auto' }, source.chunk),
    ),
  ];
  if (href === null) return h('div', { class: 'card' }, ...inner);
  // Screen readers announce the target of the link, not the whole passage.
  const label = place ? `${title}, ${place}` : title;
  return h(
    'a',
    { class: 'card', href, target: '_blank', rel: 'noopener noreferrer', 'aria-label': label },
    ...inner,
  );
}

function createFileList(files: SentFile[], actions: MessageActions): HTMLElement {
  return h('ul', { class: 'sent' }, ...files.map((file) => h('li', {}, ...fileRow(file, actions))));
}

/** Pictures that browsers draw without running anything. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function fileRow(
  { name, bytes, url, content_type: type }: SentFile,
  { language, link }: MessageActions,
): (HTMLElement | SVGElement | null)[] {
  const shown = h('span', { class: 'name', dir: 'auto' }, name ?? '…');
  if (url === undefined) return [icon(...icons.file), shown];
  const href = parseSafeUrl(link(url));
  const size = bytes == null ? null : h('span', { class: 'size' }, formatSize(language, bytes));
  const attributes = { class: 'file', href, target: '_blank', rel: 'noopener noreferrer' };
  const row = h('a', attributes, icon(...icons.file), shown, size);
  if (href === null || !pictures.includes(type ?? '')) return [row];
  // A page whose policy forbids the picture keeps the link.
  const preview = h('img', { src: href, alt: '', loading: 'lazy', onerror: () => preview.remove() });
  row.prepend(preview);
  return [row];
}

function createBadge(name: string): HTMLElement {
  const initials = name
    .split(/\s+/)
    .map((word) => word.slice(0, 1))
    .slice(0, 2)
    .join('');
  return h('span', { class: 'initials', 'aria-hidden': 'true' }, initials.toUpperCase());
}

function hidden(text: string): HTMLElement {
  return h('span', { class: 'hidden' }, text);
}
