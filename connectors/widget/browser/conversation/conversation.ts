import type { EventName, Frame, History, Look, Message, SentFile, State } from '../types.ts';
import type { ChatView } from '../view/chat-view.ts';
import { formatText } from '../view/dom.ts';
import type { MessageView } from '../view/message-view.ts';
import { type Api, ApiError, readFrames } from './api.ts';
import { LiveUpdates } from './live-updates.ts';
import { PendingQuestions } from './pending-questions.ts';

export interface ConversationParts {
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
  readonly files: SentFile[];
}

const lookEveryMs = 1_000;
const mostLooks = 90;
const longestWaitSeconds = 90;
const nobody: State = { status: 'open', agent: null, unread: 0, answering: false };

/** What is said between a visitor and us: asks, listens, and finds its way back when the connection is lost. */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #news: LiveUpdates;
  readonly #shown = new Map<string, MessageView>();
  readonly #own = new PendingQuestions();
  /** What waits until what is said now is answered. */
  readonly #waiting: (() => Promise<void>)[] = [];
  #oldest: MessageView | undefined;
  #cursor: string | null = null;
  #isOpen = false;
  #isLoaded = false;
  #busy = false;
  /** What was asked in an earlier one is not answered on the screen. */
  #visit = 0;
  #state = nobody;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#news = new LiveUpdates(parts.api, {
      message: (message) => this.#heard(message),
      state: (state) => this.#take(state),
      back: () => void this.#catchUp(),
    });
  }

  /** Shows what was said before, where something was. */
  async load(): Promise<void> {
    const { api, view } = this.#parts;
    this.#isLoaded = !api.hasSession;
    if (this.#isLoaded) return;
    const visit = this.#visit;
    try {
      const history = await api.history();
      if (visit !== this.#visit) return;
      this.#isLoaded = true;
      this.#oldest = this.#place(history.messages).first;
      this.#cursor = history.pagination.next_cursor;
      view.setOlder(this.#cursor !== null);
      this.#take(history);
      view.keepUp(true);
      if (this.#isOpen) this.#tellSeen();
      if (history.answering) void this.#inTurn(() => this.#awaitAnswer());
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      view.setNotice(this.#text('unavailable'), () => {
        view.setNotice(null);
        void this.load();
      });
    }
  }

  ask(text: string, files: SentFile[] = []): void {
    void this.#inTurn(() => this.#say({ path: '/ask', text, files }));
  }

  human(): void {
    void this.#inTurn(() => this.#say({ path: '/human', text: this.#text('askHuman'), files: [] }));
  }

  async older(): Promise<void> {
    const { api, view } = this.#parts;
    if (this.#cursor === null) return;
    const visit = this.#visit;
    const page = await api.history(this.#cursor).catch(() => null);
    if (page === null || visit !== this.#visit) return;
    view.holding(() => {
      this.#oldest = this.#place(page.messages, this.#oldest).first;
    });
    this.#cursor = page.pagination.next_cursor;
    view.setOlder(this.#cursor !== null);
  }

  /** Whether it is on the screen: what people say is seen then, and what was said in another tab is looked for. */
  seen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    this.#parts.view.keepUp(true);
    this.#tellSeen();
    if (this.#isLoaded && !this.#busy && this.#parts.api.hasSession) void this.#catchUp();
  }

  /** Another visitor, or none. */
  reset(): void {
    this.#visit += 1;
    this.#news.stop();
    this.#waiting.length = 0;
    this.#shown.clear();
    this.#own.clear();
    this.#oldest = undefined;
    this.#isLoaded = false;
    this.#cursor = null;
    this.#take(nobody);
    this.#parts.view.clear();
  }

  /** One question after the other. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#busy) {
      this.#waiting.push(work);
      return;
    }
    this.#setBusy(true);
    await work();
    this.#parts.view.setTyping(null);
    this.#setBusy(false);
    const next = this.#waiting.shift();
    if (next !== undefined) void this.#inTurn(next);
  }

  async #say(question: Question, said?: MessageView): Promise<void> {
    const { api, view, emit } = this.#parts;
    const { path, text, files } = question;
    const mine = said ?? view.add({ role: 'user', content: text, author: null, attachments: files });
    const visit = this.#visit;
    this.#own.ask(mine);
    view.moveToEnd(mine);
    mine.setFailed(false);
    view.setNotice(null);
    if (!this.#isWithPerson()) view.setTyping(this.#text('understanding'));
    view.keepUp(true);
    try {
      await this.#listen(await api.say(path, text, files), mine);
    } catch (error) {
      if (visit !== this.#visit) return;
      const fault = error instanceof ApiError ? error : new ApiError('unknown');
      emit('error', { code: fault.code });
      this.#tellFault(fault, mine, () => void this.#inTurn(() => this.#say(question, mine)));
    }
  }

  async #listen(response: Response, mine: MessageView): Promise<void> {
    const { view } = this.#parts;
    let answer: MessageView | null = null;
    let last: Frame | null = null;
    const visit = this.#visit;
    try {
      for await (const frame of readFrames<Frame>(response)) {
        if (visit !== this.#visit) return;
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
    if (last !== null && last.error === undefined && last.kept !== true) {
      this.#finish(last, { answer, mine });
      return;
    }
    // What there was of it is not what is said.
    answer?.remove();
    if (last === null) await this.#findAnswer(mine);
    else if (last.error !== undefined) throw new ApiError(last.code ?? 'unknown', { status: 500 });
    else {
      if (last.message_id !== undefined) this.#shown.set(last.message_id, this.#own.name(mine));
      // Whoever took over meanwhile speaks now.
      if (this.#state.status === 'open') await this.#catchUp();
    }
  }

  #beginAnswer(): MessageView {
    const { view } = this.#parts;
    view.setTyping(null);
    const answer = view.add({ role: 'assistant', content: '', author: null });
    answer.setWriting(true);
    return answer;
  }

  #finish(
    frame: Frame,
    { answer, mine }: { readonly answer: MessageView | null; readonly mine: MessageView },
  ): void {
    const { view, emit } = this.#parts;
    if (answer === null || frame.message_id === undefined) return;
    answer.setWriting(false);
    const found = frame.sources ?? [];
    const handover = frame.skills_fired?.includes('escalate_to_human') ?? false;
    answer.finish({
      id: frame.message_id,
      ...(frame.confidence === 'low' ? { sources: [], related: found } : { sources: found, related: [] }),
      feedback: null,
      cut: false,
      handover,
    });
    this.#shown.set(frame.message_id, answer);
    this.#own.answered(mine, frame.message_id);
    view.announce(answer.spoken);
    view.keepUp();
    emit('message', { role: 'assistant', content: answer.text });
    if (handover) {
      emit('handover');
      void this.#catchUp();
    }
  }

  /** Looks for what became of a question whose connection was lost. Throws where it was not kept: ask again then. */
  async #findAnswer(mine: MessageView): Promise<void> {
    this.#own.lost(mine);
    await this.#awaitAnswer();
    if (this.#own.has(mine)) throw new ApiError('unreachable');
  }

  /** Looks for an answer that was begun, until it is there, or nobody makes it any more. */
  async #awaitAnswer(): Promise<void> {
    if (!this.#isWithPerson()) this.#parts.view.setTyping(this.#text('writing'));
    const visit = this.#visit;
    for (let looks = 0; looks < mostLooks && visit === this.#visit; looks += 1) {
      await (navigator.onLine ? delay(lookEveryMs) : untilOnline());
      const history = await this.#catchUp();
      if (history?.answering === false) return;
    }
  }

  /** Everything that is new, as the server has it; null where it is not reached. */
  async #catchUp(): Promise<History | null> {
    const { api, view } = this.#parts;
    const visit = this.#visit;
    const history = await api.history().catch((error: unknown) => this.#missed(error));
    // What was read for the visitor before is not shown to the next one.
    if (history === null || visit !== this.#visit) return null;
    const { added } = this.#place(history.messages);
    for (const one of added) if (one.role !== 'user') view.announce(one.spoken);
    this.#take(history);
    view.keepUp();
    return history;
  }

  /** Whose session was ended does not see any more what was said in it. */
  #missed(error: unknown): null {
    if (error instanceof ApiError && error.status === 401) this.reset();
    return null;
  }

  /**
   * Puts messages, newest first, where they belong: those that are there stay. Those that are older than all others go
   * before `next`; without it before what of this page was not taken yet, or at the end.
   */
  #place(messages: Message[], next = this.#own.firstUntold): { first?: MessageView; added: MessageView[] } {
    const added: MessageView[] = [];
    let first = next;
    for (const [index, message] of messages.entries()) {
      const known = this.#shown.get(message.id) ?? this.#own.find(message, messages[index - 1]?.id);
      const view = known ?? this.#add(message, first);
      if (known === undefined) added.unshift(view);
      this.#shown.set(message.id, view);
      first = view;
    }
    return { ...(first && { first }), added };
  }

  #add(message: Message, next?: MessageView): MessageView {
    const shown = this.#parts.view.add(message, next);
    if (message.role === 'assistant') shown.finish(message);
    return shown;
  }

  #heard(message: Message): void {
    const { view, emit } = this.#parts;
    if (this.#shown.has(message.id)) return;
    const shown = this.#add(message);
    this.#shown.set(message.id, shown);
    view.announce(`${message.author ?? ''}: ${shown.spoken}`);
    view.keepUp();
    emit('message', { role: message.role, content: message.content, author: message.author });
    if (this.#isOpen) this.#tellSeen();
  }

  #take(state: State): void {
    const { view, changed } = this.#parts;
    this.#state = state;
    const withPerson = this.#isWithPerson();
    const kind = state.status === 'person' || state.status === 'waiting' ? state.status : 'machine';
    const told = this.#text(kind === 'person' ? 'withPerson' : kind);
    view.setStatus(formatText(told, { name: state.agent ?? '' }), kind);
    view.setWithPerson(withPerson);
    view.setContact(withPerson);
    if (withPerson) this.#news.start();
    else this.#news.stop();
    changed(this.#isOpen ? { ...state, unread: 0 } : state);
  }

  #isWithPerson(): boolean {
    return this.#state.status === 'waiting' || this.#state.status === 'person';
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

  #tellFault({ code, retryAfter }: ApiError, mine: MessageView, again: () => void): void {
    const { view } = this.#parts;
    const once = onlyOnce(again);
    mine.setFailed(true);
    const fault = errorText(code);
    if (code !== 'quota_exhausted') mine.offer(this.#text('retry'), once);
    if (fault === 'failed' && !this.#isWithPerson()) mine.offer(this.#text('human'), () => this.human());
    view.setNotice(this.#text(fault));
    if (isOffline(code)) void untilOnline().then(once);
    else if (isLimit(code) && retryAfter <= longestWaitSeconds)
      void delay(Math.max(1, retryAfter) * 1_000).then(once);
  }

  #text(name: string): string {
    return this.#parts.look.texts[name] ?? '';
  }
}

/** The name of the text that tells of it. */
function errorText(code: string): string {
  if (code === 'quota_exhausted') return 'quota';
  if (isLimit(code)) return 'limited';
  if (code === 'channel_not_found') return 'unavailable';
  return isOffline(code) ? 'offline' : 'failed';
}

function isOffline(code: string): boolean {
  return code === 'unreachable' && !navigator.onLine;
}

function isLimit(code: string): boolean {
  return code.startsWith('rate_limit') || code === 'challenge_required';
}

function onlyOnce(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function untilOnline(): Promise<void> {
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}
