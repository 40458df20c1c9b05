import type { Look, Message, SentFile } from '../types.ts';
import { formatText, h, icon, icons } from './dom.ts';
import { FileTray } from './file-tray.ts';
import { restoreFocus } from './focus.ts';
import { type MessageActions, MessageView } from './message-view.ts';

export interface ViewActions extends Pick<MessageActions, 'judge' | 'human'> {
  readonly say: (text: string, files?: SentFile[]) => void;
  readonly handIn: (file: File) => Promise<SentFile>;
  readonly takeBack: (file: SentFile) => Promise<unknown>;
  readonly older: () => void;
  readonly leaveContact: (email: string) => Promise<unknown>;
  /** Null where it is a page of its own. */
  readonly close: (() => void) | null;
}

const longest = 4_000;
/** Nearer to the end than this, what is new moves the screen along. */
const nearPx = 120;

/** The conversation on the screen. It decides nothing: what is done with it is told to its actions. */
export class ChatView {
  readonly element: HTMLElement;
  readonly input: HTMLTextAreaElement;
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
  /** Whether he sees the end, so that what is new moves the screen along. */
  #follows = true;
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
      oninput: () => this.#fit(),
      onkeydown: (event) => this.#onKey(event),
      onpaste: (event) => event instanceof ClipboardEvent && this.#paste(event),
    });
    this.#tray = new FileTray(look, {
      handIn: actions.handIn,
      takeBack: actions.takeBack,
      changed: () => this.#fit(),
      complain: (text) => this.setNotice(text),
      announce: (text) => this.announce(text),
      focus: () => this.input.focus(),
    });
    this.#typing.append(
      h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
      h('span', { class: 'stage' }),
    );
    this.#scroller.append(this.#older, this.#greeting(), this.#list, this.#suggestions, this.#contact);
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
    this.#hearDrops();
    restoreFocus(this.element, () => this.focus());
    this.#scroller.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.#suggest();
    this.setStatus(texts.machine ?? '');
  }

  /** One more, before another one or at the end. */
  add(
    message: Pick<Message, 'role' | 'content' | 'author'> & Partial<Message>,
    next?: MessageView,
  ): MessageView {
    const { judge, human } = this.#actions;
    const view = new MessageView(message, { texts: this.#look.texts, judge, human });
    this.#suggestions.hidden = true;
    (next?.element ?? this.#typing).before(view.element);
    return view;
  }

  moveToEnd({ element }: MessageView): void {
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

  /** Into the field. */
  write(text: string): void {
    this.input.value = text;
    this.#fit();
  }

  /** To where one writes; where that brings up a keyboard that covers half of it, to the conversation. */
  focus(): void {
    const place = matchMedia('(pointer: coarse)').matches ? this.#scroller : this.input;
    place.focus({ preventScroll: true });
  }

  /** What goes on while nothing is said yet; null: nothing does. */
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

  /** Whom the visitor speaks with: a person who is there, one who was asked to join, or neither. */
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

  setOlder(thereIs: boolean): void {
    this.#older.hidden = !thereIs;
  }

  /** With a person there is nobody else to ask for, and not only questions are written. */
  setWithPerson(isWith: boolean): void {
    const { texts } = this.#look;
    const label = (isWith ? texts.message : texts.placeholder) ?? '';
    this.#human.hidden = isWith;
    this.element.classList.toggle('with-person', isWith);
    this.input.placeholder = label;
    this.input.setAttribute('aria-label', label);
  }

  /** Asks for an address while a person is to answer. */
  setContact(isWanted: boolean): void {
    this.#contact.hidden = !isWanted;
    if (!isWanted) return;
    if (this.#contact.childElementCount === 0) this.#contact.append(...this.#contactForm());
    this.keepUp();
  }

  /** For those who hear the screen. */
  announce(text: string): void {
    this.#live.textContent = text;
  }

  /** Follows what is new, unless the visitor reads something further up. */
  keepUp(always = false): void {
    this.#follows ||= always;
    if (!this.#follows || this.#frame !== 0) return;
    // Once for each picture, after what was written for it: to ask for the height lays everything out.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#follows) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    });
  }

  /** Keeps what is on the screen where it is while `change` puts something above it. */
  holding(change: () => void): void {
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
    const isNear = scrollHeight - scrollTop - clientHeight < nearPx;
    // Only he scrolls up: what is new moves the screen down.
    if (isNear || scrollTop < this.#top) this.#follows = isNear;
    this.#top = scrollTop;
  }

  #header(): HTMLElement {
    const { title, logo_url: logo, texts } = this.#look;
    const { close } = this.#actions;
    // The page looks as its server wrote it, where there are no pictures.
    const sign = close === null ? (Array.from(title)[0] ?? '') : icon(...icons.chat);
    const withoutPicture = (event: Event) =>
      event.target instanceof Element && event.target.replaceWith(sign);
    const picture =
      logo === null ? sign : h('img', { src: logo, alt: '', width: 38, height: 38, onerror: withoutPicture });
    // No landmark: the page that carries the widget has a banner of its own.
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

  #greeting(): HTMLElement {
    return h(
      'div',
      { class: 'message assistant greeting' },
      h('div', { class: 'body', dir: 'auto' }, h('p', {}, this.#look.greeting)),
    );
  }

  #suggest(): void {
    const choose = (text: string) =>
      h('li', {}, h('button', { type: 'button', dir: 'auto', onclick: () => this.#actions.say(text) }, text));
    if (this.#look.choice) this.#suggestions.append(this.#choice());
    this.#suggestions.append(...this.#look.suggestions.map(choose));
  }

  /** Whom he wants to speak with: to write is to want the assistant. */
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

  /** Words that come with a picture of themselves, as cells of a table do, stay words. */
  #paste(event: ClipboardEvent): void {
    const types = event.clipboardData?.types ?? [];
    if (types.includes('text/plain') && types.includes('text/html')) return;
    this.#receive(event, event.clipboardData);
  }

  /** Files that come some other way than by the button. */
  #receive(event: Event, transfer: DataTransfer | null): void {
    if (!this.#tray.wants(transfer)) return;
    event.preventDefault();
    this.#tray.add(transfer.files);
  }

  #hearDrops(): void {
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

  /** As high as what is written, within reason. */
  #fit(): void {
    const { input } = this;
    // An empty field is written in the direction of its own text.
    input.dir = input.value === '' ? this.#look.direction : 'auto';
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 140)}px`;
    const isNothing = input.value.trim() === '' && !this.#tray.isReady;
    this.#send.disabled =
      this.#measure() || isNothing || this.#tray.isBusy || this.element.classList.contains('busy');
  }

  /** Whether there is more than can be sent: nothing of it is cut off unseen. */
  #measure(): boolean {
    const isTooLong = Array.from(this.input.value.trim()).length > longest;
    if (isTooLong !== this.#isTooLong)
      this.setNotice(isTooLong ? formatText(this.#look.texts.tooLong, { count: longest }) : null);
    this.#isTooLong = isTooLong;
    return isTooLong;
  }
}
