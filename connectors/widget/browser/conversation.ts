import { type Api, ApiError } from './api.ts';
import type { ChatView } from './chat-view.ts';
import { filled } from './filled.ts';
import type { MessageView } from './message-view.ts';
import { NewsFeed } from './news-feed.ts';
import { readFrames } from './read-frames.ts';
import type { EventName, Frame, History, Look, Message, SentFile, State } from './types.ts';

interface Parts {
  readonly api: Api;
  readonly look: Look;
  readonly view: ChatView;
  readonly emit: (name: EventName, detail?: unknown) => void;
  /** Whether a person may say something from now on, and what of it was not seen. */
  readonly changed: (state: State) => void;
}

interface Question {
  readonly path: '/ask' | '/human';
  readonly text: string;
  readonly files?: SentFile[];
}

const lookEveryMs = 1_000;
const longestWaitSeconds = 90;

/** What is said between a visitor and us: asks, listens, and finds its way back when the connection is lost. */
export class Conversation {
  readonly #parts: Parts;
  readonly #news: NewsFeed;
  readonly #shown = new Map<string, MessageView>();
  #cursor: string | null = null;
  #isOpen = false;
  #busy = false;
  #state: State = { status: 'open', agent: null, unread: 0, answering: false };

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#news = new NewsFeed(parts.api, {
      message: (message) => this.#heard(message),
      state: (state) => this.#take(state),
      back: () => void this.#catchUp(),
    });
  }

  /** Shows what was said before, where something was. */
  async load(): Promise<void> {
    this.#parts.view.clear();
    this.#shown.clear();
    if (!this.#parts.api.hasSession) return;
    try {
      const history = await this.#parts.api.history();
      this.#showHistory(history);
      if (history.answering) await this.#awaitAnswer();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      this.#parts.view.setNotice(this.#text('unavailable'), () => {
        this.#parts.view.setNotice(null);
        void this.load();
      });
    }
  }

  ask(text: string, files: SentFile[] = []): void {
    void this.#say({ path: '/ask', text, files });
  }

  human(): void {
    void this.#say({ path: '/human', text: this.#text('askHuman') });
  }

  async older(): Promise<void> {
    const { api, view } = this.#parts;
    if (this.#cursor === null) return;
    const page = await api.history(this.#cursor).catch(() => null);
    if (page === null) return;
    view.holding(() => {
      for (const message of page.messages) this.#show(message, true);
    });
    this.#cursor = page.pagination.next_cursor;
    view.setOlder(this.#cursor !== null);
  }

  /** Whether it is on the screen: what people say is seen then. */
  seen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    this.#parts.view.keepUp(true);
    this.#tellSeen();
  }

  /** Another visitor, or none. */
  reset(): void {
    this.#news.stop();
    this.#cursor = null;
    this.#take({ status: 'open', agent: null, unread: 0, answering: false });
    this.#parts.view.setOlder(false);
  }

  async #say(question: Question, said?: MessageView): Promise<void> {
    const { view, emit } = this.#parts;
    if (this.#busy) return;
    this.#setBusy(true);
    view.setNotice(null);
    const { path, text, files = [] } = question;
    const mine = said ?? view.add({ role: 'user', content: text, author: null, attachments: files });
    mine.element.classList.remove('failed');
    const withPerson = this.#state.status === 'waiting' || this.#state.status === 'person';
    if (!withPerson) view.setTyping(this.#text('understanding'));
    view.keepUp(true);
    try {
      const response = await this.#parts.api.say(path, text, files);
      await this.#listen(response);
    } catch (error) {
      emit('error', { code: error instanceof ApiError ? error.code : 'unknown' });
      this.#tellFault(error, mine, () => void this.#say(question, mine));
    } finally {
      view.setTyping(null);
      this.#setBusy(false);
    }
  }

  async #listen(response: Response): Promise<void> {
    const { view } = this.#parts;
    let answer: MessageView | null = null;
    let last: Frame | null = null;
    try {
      for await (const frame of readFrames<Frame>(response)) {
        if (frame.stage !== undefined) view.setTyping(this.#text(frame.stage));
        if (frame.token) {
          answer ??= this.#beginAnswer();
          answer.append(frame.token);
          view.keepUp();
        }
        if (frame.done === true) last = frame;
      }
    } catch {
      // The connection is lost: the answer is made all the same.
    }
    if (last?.error !== undefined) {
      answer?.element.remove();
      throw new ApiError(last.code ?? 'unknown', { status: 500 });
    }
    if (last === null) {
      answer?.element.remove();
      await this.#awaitAnswer();
    } else if (last.kept === true) {
      // Whoever took over meanwhile speaks now: what there was of an answer is not said.
      answer?.element.remove();
      if (this.#state.status === 'open') await this.#catchUp();
    } else this.#finish(last, answer);
  }

  #beginAnswer(): MessageView {
    const { view } = this.#parts;
    view.setTyping(null);
    const answer = view.add({ role: 'assistant', content: '', author: null });
    answer.element.classList.add('writing');
    return answer;
  }

  #finish(frame: Frame, answer: MessageView | null): void {
    const { view, emit } = this.#parts;
    if (answer === null || frame.message_id === undefined) return;
    answer.element.classList.remove('writing');
    const sources = frame.confidence === 'low' ? [] : (frame.sources ?? []);
    answer.finish({ id: frame.message_id, sources, feedback: null, cut: false });
    this.#shown.set(frame.message_id, answer);
    view.announce(answer.text);
    view.keepUp();
    emit('message', { role: 'assistant', content: answer.text });
    if (frame.skills_fired?.includes('escalate_to_human')) {
      emit('handover');
      void this.#catchUp();
    }
  }

  /** Looks for an answer that was begun, until it is there. */
  async #awaitAnswer(): Promise<void> {
    const { view } = this.#parts;
    view.setTyping(this.#text('writing'));
    for (let tries = 0; tries < 90; tries += 1) {
      await (navigator.onLine ? wait(lookEveryMs) : untilOnline());
      const history = await this.#catchUp();
      if (history?.answering === false) break;
    }
    view.setTyping(null);
  }

  /** Everything that is new, as the server has it. */
  async #catchUp(): Promise<History | null> {
    const history = await this.#parts.api.history().catch(() => null);
    if (history === null) return null;
    const isNew = ({ id, role }: Message) => role !== 'user' && !this.#shown.has(id);
    for (const message of history.messages.filter(isNew).reverse()) {
      this.#show(message);
      this.#parts.view.announce(message.content);
    }
    this.#take(history);
    this.#parts.view.keepUp();
    return history;
  }

  #showHistory(history: History): void {
    const { view } = this.#parts;
    for (const message of [...history.messages].reverse()) this.#show(message);
    this.#cursor = history.pagination.next_cursor;
    view.setOlder(this.#cursor !== null);
    this.#take(history);
    view.keepUp(true);
  }

  #show(message: Message, before = false): void {
    if (this.#shown.has(message.id)) return;
    const shown = this.#parts.view.add(message, before);
    if (message.role === 'assistant') shown.finish(message);
    this.#shown.set(message.id, shown);
  }

  #heard(message: Message): void {
    const { view, emit } = this.#parts;
    if (this.#shown.has(message.id)) return;
    this.#show(message);
    view.announce(`${message.author ?? ''}: ${message.content}`);
    view.keepUp();
    emit('message', { role: message.role, content: message.content, author: message.author });
    if (this.#isOpen) this.#tellSeen();
  }

  #take(state: State): void {
    const { view, changed } = this.#parts;
    this.#state = state;
    const withPerson = state.status === 'waiting' || state.status === 'person';
    if (state.status === 'person')
      view.setStatus(filled(this.#text('withPerson'), { name: state.agent ?? '' }), true);
    else view.setStatus(this.#text(state.status === 'waiting' ? 'waiting' : 'machine'), withPerson);
    view.setHuman(!withPerson);
    if (withPerson) {
      view.offerContact();
      this.#news.start();
    } else this.#news.stop();
    changed(this.#isOpen ? { ...state, unread: 0 } : state);
  }

  #tellSeen(): void {
    if (this.#state.status === 'open' || !this.#parts.api.hasSession) return;
    this.#parts.changed({ ...this.#state, unread: 0 });
    void this.#parts.api.post('/read').catch(() => undefined);
  }

  #setBusy(isBusy: boolean): void {
    this.#busy = isBusy;
    this.#parts.view.setBusy(isBusy);
  }

  #tellFault(error: unknown, mine: MessageView, again: () => void): void {
    const { view } = this.#parts;
    const code = error instanceof ApiError ? error.code : 'unknown';
    const seconds = error instanceof ApiError ? error.retryAfter : 0;
    mine.element.classList.add('failed');
    const once = onlyOnce(again);
    if (code === 'unreachable' && !navigator.onLine) {
      view.setNotice(this.#text('offline'), once);
      void untilOnline().then(once);
    } else if (code === 'quota_exhausted') view.setNotice(this.#text('quota'));
    else if (code.startsWith('rate_limit') || code === 'challenge_required') {
      view.setNotice(this.#text('limited'), once);
      if (seconds <= longestWaitSeconds) void wait(Math.max(1, seconds) * 1_000).then(once);
    } else view.setNotice(this.#text('failed'), once);
  }

  #text(name: string): string {
    return this.#parts.look.texts[name] ?? '';
  }
}

function onlyOnce(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function untilOnline(): Promise<void> {
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}
