import type { Look, Message, Rating, SentFile } from '../types.ts';
import { ClosingView } from './closing-view.ts';
import { formatText, h, icon, icons } from './dom.ts';
import { FileTray } from './file-tray.ts';
import { restoreFocus } from './focus.ts';
import { type MessageActions, MessageView } from './message-view.ts';

export interface ViewActions extends Pick<MessageActions, 'judge' | 'human' | 'link'> {
  readonly say: (text: string, files?: SentFile[]) => void;
  readonly uploadFile: (file: File) => Promise<SentFile>;
  readonly deleteFile: (file: SentFile) => Promise<unknown>;
  readonly older: () => void;
  /** Handles each change of the text. */
  readonly typing: () => void;
  readonly rate: (rating: Rating) => Promise<unknown>;
  readonly leaveContact: (email: string) => Promise<unknown>;
  /** Null on a hosted page, which has no close button. */
  readonly close: (() => void) | null;
}

const maxChars = 4_000;
/** Within this distance of the end, new content scrolls the view. */
const nearEndPx = 120;

/** The view of a conversation. It decides nothing and reports the visitor's actions. */
export class ChatView {
  readonly element: HTMLElement;
  readonly input: HTMLTextAreaElement;
  readonly closing: ClosingView;
  readonly #look: Look;
  readonly #actions: ViewActions;
  readonly #list = h('ol', { class: 'messages' });
  readonly #scroller = h('div', { class: 'scroller', tabindex: -1 });
  readonly #status = h('p', { class: 'status' });
  readonly #notice = h('div', { class: 'notice', role: 'alert', hidden: true });
  readonly #live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  readonly #typing = h('li', { class: 'typing', hidden: true });
  readonly #suggestions = h('ul', { class: 'suggestions' });
  readonly #older: HTMLButtonElement;
  readonly #human: HTMLButtonElement;
  readonly #contact = h('div', { class: 'contact', hidden: true });
  readonly #send: HTMLButtonElement;
  readonly #tray: FileTray;
  /** Whether the end is visible, so that new content scrolls the view. */
  #followsEnd = true;
  #isTooLong = false;
  #frame = 0;
  #top = 0;

  constructor(look: Look, actions: ViewActions) {
    const { texts } = look;
    this.#look = look;
    this.#actions = actions;
    this.#older = h(
      'button',
      { type: 'button', class: 'older', hidden: true, onclick: () => actions.older() },
      texts.older ?? '',
    );
    this.#human = h(
      'button',
      { type: 'button', class: 'human', onclick: () => actions.human() },
      icon(...icons.person),
      texts.human ?? '',
    );
    this.#send = h(
      'button',
      { type: 'submit', class: 'send', 'aria-label': texts.send, title: texts.send, disabled: true },
      icon(...icons.send),
    );
    this.input = h('textarea', {
      rows: 1,
      name: 'query',
      dir: look.direction,
      placeholder: texts.placeholder,
      'aria-label': texts.placeholder,
      enterkeyhint: 'send',
      oninput: () => {
        this.#fit();
        if (this.input.value !== '') actions.typing();
      },
      onkeydown: (event) => this.#onKey(event),
      onpaste: (event) => event instanceof ClipboardEvent && this.#paste(event),
    });
    this.#tray = new FileTray(look, {
      uploadFile: actions.uploadFile,
      deleteFile: actions.deleteFile,
      changed: () => this.#fit(),
      showError: (text) => this.setNotice(text),
      announce: (text) => this.announce(text),
      focus: () => this.input.focus(),
    });
    this.closing = new ClosingView(look, { rate: actions.rate, chat: this });
    this.#typing.append(
      h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
      h('span', { class: 'stage' }),
    );
    const { element: closing } = this.closing;
    this.#scroller.append(
      this.#older,
      ...this.#opening(),
      this.#list,
      this.#suggestions,
      this.#contact,
      closing,
    );
    this.#list.append(this.#typing);
    this.element = h(
      'div',
      { class: 'chat', lang: look.language, dir: look.direction },
      this.#header(),
      this.#scroller,
      this.#notice,
      this.#composer(),
      this.#live,
    );
    this.#handleDrops();
    restoreFocus(this.element, () => this.focus());
    this.#scroller.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.#suggest();
    this.setStatus(texts.machine ?? '');
  }

  /** Adds a message before `next` or at the end. */
  add(
    message: Pick<Message, 'role' | 'content' | 'author'> & Partial<Message>,
    next?: MessageView,
  ): MessageView {
    const { judge, human, link } = this.#actions;
    const { texts, language } = this.#look;
    const view = new MessageView(message, { texts, language, judge, human, link });
    this.#suggestions.hidden = true;
    (next?.element ?? this.#typing).before(view.element);
    return view;
  }

  /** Places a message that is sent. The conversation goes on with it. */
  moveToEnd({ element }: MessageView): void {
    this.closing.hide();
    this.#typing.before(element);
  }

  clear(): void {
    this.#list.replaceChildren(this.#typing);
    this.#suggestions.hidden = false;
    this.#contact.replaceChildren();
    this.setOlder(false);
    this.setNotice(null);
    this.#tray.clear();
  }

  /** Sets the text of the input. */
  write(text: string): void {
    this.input.value = text;
    this.#fit();
  }

  /** Focuses the input; on touch screens the conversation, because the keyboard would cover half of it. */
  focus(): void {
    const place = matchMedia('(pointer: coarse)').matches ? this.#scroller : this.input;
    place.focus({ preventScroll: true });
  }

  /** Shows the stage of an answer that has no text yet; null hides it. */
  setTyping(stage: string | null): void {
    this.#typing.hidden = stage === null;
    const text = this.#typing.querySelector('.stage');
    if (text !== null) text.textContent = stage ?? '';
    this.keepUp();
  }

  setBusy(isBusy: boolean): void {
    this.element.classList.toggle('busy', isBusy);
    this.#human.disabled = isBusy;
    this.#fit();
  }

  /** Shows who answers: the assistant, an agent, or an agent who was asked to join. */
  setStatus(text: string, kind: 'machine' | 'waiting' | 'person' = 'machine'): void {
    this.#status.textContent = text;
    this.#status.className = `status ${kind}`;
  }

  setNotice(text: string | null, retry?: () => void): void {
    this.#notice.hidden = text === null;
    this.#notice.replaceChildren(h('span', {}, text ?? ''));
    if (retry !== undefined)
      this.#notice.append(h('button', { type: 'button', onclick: retry }, this.#look.texts.retry ?? ''));
  }

  setOlder(hasOlder: boolean): void {
    this.#older.hidden = !hasOlder;
  }

  /** With an agent there is no button for a person, the placeholder asks for a message, and an address is asked for. */
  setWithPerson(isWith: boolean): void {
    const { texts } = this.#look;
    const label = (isWith ? texts.message : texts.placeholder) ?? '';
    this.#human.hidden = isWith;
    this.element.classList.toggle('with-person', isWith);
    this.input.placeholder = label;
    this.input.setAttribute('aria-label', label);
    this.#askForContact(isWith);
  }

  #askForContact(isWanted: boolean): void {
    this.#contact.hidden = !isWanted;
    if (!isWanted) return;
    if (this.#contact.childElementCount === 0) this.#contact.append(...this.#contactForm());
    this.keepUp();
  }

  /** Announces a text to screen readers. */
  announce(text: string): void {
    this.#live.textContent = text;
  }

  /** Scrolls to new content, unless the visitor has scrolled up. */
  keepUp(always = false): void {
    this.#followsEnd ||= always;
    if (!this.#followsEnd || this.#frame !== 0) return;
    // Once per frame, after all writes: reading the height forces a layout.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#followsEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    });
  }

  /** Keeps the scroll position while `change` inserts content above. */
  keepScrollPosition(change: () => void): void {
    const { scrollHeight, scrollTop } = this.#scroller;
    change();
    this.#scroller.scrollTop = scrollTop + this.#scroller.scrollHeight - scrollHeight;
  }

  #contactForm(): HTMLElement[] {
    const { texts } = this.#look;
    const input = h('input', {
      type: 'email',
      required: true,
      autocomplete: 'email',
      'aria-label': texts.email,
      placeholder: texts.email,
    });
    const save = async (event: Event) => {
      event.preventDefault();
      const email = input.value.trim();
      await this.#actions.leaveContact(email).then(
        () =>
          this.#contact.replaceChildren(h('p', { role: 'status' }, formatText(texts.saved, { name: email }))),
        () => this.setNotice(texts.failed ?? ''),
      );
    };
    const form = h(
      'form',
      { class: 'inline', onsubmit: save },
      input,
      h('button', { type: 'submit' }, texts.save ?? ''),
    );
    return [h('p', {}, texts.contact ?? ''), form];
  }

  #onScroll(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const isNear = scrollHeight - scrollTop - clientHeight < nearEndPx;
    // Only the visitor scrolls up. New content scrolls down.
    if (isNear || scrollTop < this.#top) this.#followsEnd = isNear;
    this.#top = scrollTop;
  }

  #header(): HTMLElement {
    const { title, logo_url: logo, texts } = this.#look;
    const { close } = this.#actions;
    // If there is no logo, the hosted page shows the first letter, as its server rendered it.
    const sign = close === null ? (Array.from(title)[0] ?? '') : icon(...icons.chat);
    const withoutPicture = (event: Event) =>
      event.target instanceof Element && event.target.replaceWith(sign);
    const picture =
      logo === null ? sign : h('img', { src: logo, alt: '', width: 38, height: 38, onerror: withoutPicture });
    // Not a `header` element: the embedding page has a banner landmark of its own.
    return h(
      'div',
      { class: 'header' },
      h('span', { class: 'logo' }, picture),
      h('div', { class: 'who' }, h(close === null ? 'h1' : 'h2', { id: 'title' }, title), this.#status),
      close === null
        ? null
        : h(
            'button',
            { type: 'button', class: 'close', 'aria-label': texts.close, title: texts.close, onclick: close },
            icon(...icons.close),
          ),
    );
  }

  /** The line that a machine answers, and the greeting. */
  #opening(): HTMLElement[] {
    const { disclosure, greeting } = this.#look;
    const body = h('div', { class: 'body', dir: 'auto' }, h('p', {}, greeting));
    const line = disclosure === null ? [] : [h('p', { class: 'disclosure', dir: 'auto' }, disclosure)];
    return [...line, h('div', { class: 'message assistant greeting' }, body)];
  }

  #suggest(): void {
    const choose = (text: string) =>
      h('li', {}, h('button', { type: 'button', dir: 'auto', onclick: () => this.#actions.say(text) }, text));
    if (this.#look.choice) this.#suggestions.append(this.#choice());
    this.#suggestions.append(...this.#look.suggestions.map(choose));
  }

  /** The choice between the assistant and a person. Writing chooses the assistant. */
  #choice(): HTMLElement {
    const { texts } = this.#look;
    const button = (text: string | undefined, picture: readonly string[], onclick: () => void) =>
      h('button', { type: 'button', onclick }, icon(...picture), text ?? '');
    return h(
      'li',
      { class: 'choice' },
      button(texts.askMachine, icons.chat, () => this.input.focus()),
      button(texts.human, icons.person, () => this.#actions.human()),
    );
  }

  #composer(): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault();
      this.#submit();
    };
    const { button, picker, element } = this.#tray;
    const form = h('form', { class: 'composer', onsubmit: submit }, button, picker, this.input, this.#send);
    return h('div', { class: 'footer' }, element, form, h('div', { class: 'below' }, this.#human));
  }

  #submit(): void {
    const text = this.input.value.trim();
    if (this.#send.disabled) return;
    this.write('');
    this.#actions.say(text, this.#tray.take());
  }

  #onKey(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.shiftKey || event.isComposing)
      return;
    event.preventDefault();
    this.#submit();
  }

  /** Ignores images that spreadsheets add to copied cells. */
  #paste(event: ClipboardEvent): void {
    const types = event.clipboardData?.types ?? [];
    if (types.includes('text/plain') && types.includes('text/html')) return;
    this.#receive(event, event.clipboardData);
  }

  /** Adds files that are dropped or pasted. */
  #receive(event: Event, transfer: DataTransfer | null): void {
    if (!this.#tray.wants(transfer)) return;
    event.preventDefault();
    this.#tray.add(transfer.files);
  }

  #handleDrops(): void {
    const { element } = this;
    const over = (event: DragEvent) => {
      const isWanted = event.type === 'dragover' && this.#tray.wants(event.dataTransfer);
      element.classList.toggle('dropping', isWanted);
      if (isWanted) event.preventDefault();
    };
    element.addEventListener('dragover', over);
    element.addEventListener('dragleave', over);
    element.addEventListener('drop', (event) => {
      over(event);
      this.#receive(event, event.dataTransfer);
    });
  }

  /** Fits the height to the text, up to a limit. */
  #fit(): void {
    const { input } = this;
    // `dir="auto"` is left to right while the input is empty.
    input.dir = input.value === '' ? this.#look.direction : 'auto';
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 140)}px`;
    const isNothing = input.value.trim() === '' && !this.#tray.isReady;
    this.#send.disabled =
      this.#measure() || isNothing || this.#tray.isBusy || this.element.classList.contains('busy');
  }

  /** Checks the length, and explains it, because text is never cut off silently. */
  #measure(): boolean {
    const isTooLong = Array.from(this.input.value.trim()).length > maxChars;
    if (isTooLong !== this.#isTooLong)
      this.setNotice(isTooLong ? formatText(this.#look.texts.tooLong, { count: maxChars }) : null);
    this.#isTooLong = isTooLong;
    return isTooLong;
  }
}
