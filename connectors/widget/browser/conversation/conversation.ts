import type { EventName, Frame, History, Look, Message, SentFile, State } from '../types.ts';
import type { ChatView } from '../view/chat-view.ts';
import { formatText } from '../view/dom.ts';
import type { MessageView } from '../view/message-view.ts';
import { type Api, ApiError, readFrames } from './api.ts';
import { LiveUpdates } from './live-updates.ts';
import { PendingQuestions } from './pending-questions.ts';
import { TypingSigns } from './typing-signs.ts';

export interface ConversationParts {
  readonly api: Api;
  readonly look: Look;
  readonly view: ChatView;
  readonly emit: (name: EventName, detail?: unknown) => void;
  /** Reports whether an agent may write, and the number of unread messages. */
  readonly changed: (state: State) => void;
}

interface Question {
  readonly path: '/ask' | '/human';
  readonly text: string;
  readonly files: SentFile[];
}

const pollEveryMs = 1_000;
const maxPolls = 90;
const maxWaitSeconds = 90;
const initialState: State = { status: 'open', agent: null, unread: 0, answering: false, rating: null };

/** A visitor's conversation: sends questions, receives answers, and recovers after a lost connection. */
export class Conversation {
  readonly #options: ConversationParts;
  readonly #news: LiveUpdates;
  readonly typing: TypingSigns;
  readonly #shown = new Map<string, MessageView>();
  readonly #pending = new PendingQuestions();
  /** Questions that wait for the current answer. */
  readonly #waiting: (() => Promise<void>)[] = [];
  #oldest: MessageView | undefined;
  #cursor: string | null = null;
  #isOpen = false;
  #isLoaded = false;
  #busy = false;
  /** Whether an agent has written, and may do so again. */
  #hasAgent = false;
  /** Changes with the visitor. Answers of an earlier visit are not shown. */
  #visit = 0;
  #state = initialState;

  constructor(parts: ConversationParts) {
    this.#options = parts;
    this.typing = new TypingSigns({
      ...{ api: parts.api, view: parts.view, text: this.#text('typing') },
      isBusy: () => this.#busy,
      isWithPerson: () => this.#isWithPerson(),
    });
    this.#news = new LiveUpdates(parts.api, {
      message: (message) => this.#onMessage(message),
      state: (state) => this.#onState(state),
      typing: (name) => this.typing.show(name),
      back: () => void this.#catchUp(),
    });
  }

  /** Shows the earlier messages, if there are any. */
  async load(): Promise<void> {
    const { api, view } = this.#options;
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
      this.#onState(history);
      view.keepUp(true);
      if (this.#isOpen) this.#markSeen();
      if (history.answering) void this.#enqueue(() => this.#awaitAnswer());
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      view.setNotice(this.#text('unavailable'), () => {
        view.setNotice(null);
        void this.load();
      });
    }
  }

  ask(text: string, files: SentFile[] = []): void {
    void this.#enqueue(() => this.#send({ path: '/ask', text, files }));
  }

  human(): void {
    void this.#enqueue(() => this.#send({ path: '/human', text: this.#text('askHuman'), files: [] }));
  }

  async older(): Promise<void> {
    const { api, view } = this.#options;
    if (this.#cursor === null) return;
    const visit = this.#visit;
    const page = await api.history(this.#cursor).catch(() => null);
    if (page === null || visit !== this.#visit) return;
    view.keepScrollPosition(() => {
      this.#oldest = this.#place(page.messages, this.#oldest).first;
    });
    this.#cursor = page.pagination.next_cursor;
    view.setOlder(this.#cursor !== null);
  }

  /** Tells whether the chat is visible. It marks messages as read and loads the messages of another tab. */
  seen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    this.#options.view.keepUp(true);
    this.#markSeen();
    if (this.#isLoaded && !this.#busy && this.#options.api.hasSession) void this.#catchUp();
  }

  /** Clears the conversation for another visitor. */
  reset(): void {
    this.#visit += 1;
    this.#news.stop();
    this.#waiting.length = 0;
    this.#shown.clear();
    this.#pending.clear();
    this.#oldest = undefined;
    this.#isLoaded = false;
    this.#hasAgent = false;
    this.#cursor = null;
    this.#onState(initialState);
    this.#options.view.clear();
  }

  /** Runs one question after the other. */
  async #enqueue(work: () => Promise<void>): Promise<void> {
    if (this.#busy) {
      this.#waiting.push(work);
      return;
    }
    this.#setBusy(true);
    await work();
    this.#options.view.setTyping(null);
    this.#setBusy(false);
    const next = this.#waiting.shift();
    if (next !== undefined) void this.#enqueue(next);
  }

  async #send(question: Question, existing?: MessageView): Promise<void> {
    const { api, view, emit } = this.#options;
    const { path, text, files } = question;
    const asked = { role: 'user', content: text, author: null, attachments: files } as const;
    const questionView = existing ?? view.add(asked);
    const visit = this.#visit;
    this.#pending.ask(questionView);
    view.moveToEnd(questionView);
    questionView.setFailed(false);
    view.setNotice(null);
    if (!this.#isWithPerson()) view.setTyping(this.#text('understanding'));
    view.keepUp(true);
    try {
      await this.#listen(await api.send(path, text, files), questionView);
    } catch (error) {
      if (visit !== this.#visit) return;
      const fault = error instanceof ApiError ? error : new ApiError('unknown');
      emit('error', { code: fault.code });
      this.#showError(
        fault,
        questionView,
        () => void this.#enqueue(() => this.#send(question, questionView)),
      );
    }
  }

  async #listen(response: Response, questionView: MessageView): Promise<void> {
    const { view } = this.#options;
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
      // The connection is lost. The server still generates the answer.
    }
    if (last !== null && last.error === undefined && last.kept !== true) {
      this.#finish(last, { answer, questionView });
      return;
    }
    // The partial text is not the final answer.
    answer?.remove();
    if (last === null) await this.#findAnswer(questionView);
    else if (last.error !== undefined) throw new ApiError(last.code ?? 'unknown', { status: 500 });
    else {
      if (last.message_id !== undefined)
        this.#shown.set(last.message_id, this.#pending.identified(questionView));
      // An agent took over meanwhile.
      if (this.#state.status === 'open') await this.#catchUp();
    }
  }

  #beginAnswer(): MessageView {
    const { view } = this.#options;
    view.setTyping(null);
    const answer = view.add({ role: 'assistant', content: '', author: null });
    answer.setWriting(true);
    return answer;
  }

  #finish(
    frame: Frame,
    { answer, questionView }: { readonly answer: MessageView | null; readonly questionView: MessageView },
  ): void {
    const { view, emit } = this.#options;
    if (answer === null || frame.message_id === undefined) return;
    answer.setWriting(false);
    const found = frame.sources ?? [];
    const handover = frame.skills_fired?.includes('escalate_to_human') ?? false;
    answer.finish({
      id: frame.message_id,
      ...{ tier: frame.tier ?? null, lead: frame.lead ?? null, feedback: null, cut: false },
      ...(frame.tier === 'none' ? { sources: [], related: found } : { sources: found, related: [] }),
      handover,
    });
    this.#shown.set(frame.message_id, answer);
    this.#pending.answered(questionView, frame.message_id);
    view.announce(answer.spoken);
    view.keepUp();
    emit('message', { role: 'assistant', content: answer.text });
    if (handover) {
      emit('handover');
      void this.#catchUp();
    } else if (this.#isOpen) this.#news.start();
  }

  /** Waits for the answer of a question whose connection was lost. Throws if the server did not store the question. */
  async #findAnswer(questionView: MessageView): Promise<void> {
    this.#pending.lost(questionView);
    await this.#awaitAnswer();
    if (this.#pending.has(questionView)) throw new ApiError('unreachable');
  }

  /** Polls for a pending answer until it is stored, or no process generates it any more. */
  async #awaitAnswer(): Promise<void> {
    if (!this.#isWithPerson()) this.#options.view.setTyping(this.#text('writing'));
    const visit = this.#visit;
    for (let polls = 0; polls < maxPolls && visit === this.#visit; polls += 1) {
      await (navigator.onLine ? delay(pollEveryMs) : untilOnline());
      const history = await this.#catchUp();
      if (history?.answering === false) return;
    }
  }

  /** Loads and shows new messages; returns null if the server is unreachable. */
  async #catchUp(): Promise<History | null> {
    const { api, view } = this.#options;
    const visit = this.#visit;
    const history = await api.history().catch((error: unknown) => this.#onLoadError(error));
    // The visitor changed during the request: the messages belong to the previous one.
    if (history === null || visit !== this.#visit) return null;
    const { added } = this.#place(history.messages);
    for (const one of added) if (one.role !== 'user') view.announce(one.spoken);
    this.#onState(history);
    view.keepUp();
    return history;
  }

  /** Clears the conversation if its session has ended. */
  #onLoadError(error: unknown): null {
    if (error instanceof ApiError && error.status === 401) this.reset();
    return null;
  }

  /**
   * Inserts messages, newest first, and keeps those that are already shown. Messages older than all others go before
   * `next`, by default before the first pending question or at the end.
   */
  #place(
    messages: Message[],
    next = this.#pending.firstUnanswered,
  ): { first?: MessageView; added: MessageView[] } {
    const added: MessageView[] = [];
    let first = next;
    for (const [index, message] of messages.entries()) {
      const known = this.#shown.get(message.id) ?? this.#pending.find(message, messages[index - 1]?.id);
      const view = known ?? this.#add(message, first);
      if (known === undefined) added.unshift(view);
      this.#shown.set(message.id, view);
      first = view;
    }
    return { ...(first && { first }), added };
  }

  #add(message: Message, next?: MessageView): MessageView {
    const shown = this.#options.view.add(message, next);
    if (message.role === 'assistant') shown.finish(message);
    if (message.role === 'agent') this.#hasAgent = true;
    return shown;
  }

  #onMessage(message: Message): void {
    const { view, emit } = this.#options;
    if (this.#shown.has(message.id)) return;
    this.typing.end();
    const shown = this.#add(message);
    this.#shown.set(message.id, shown);
    view.announce(`${message.author ?? ''}: ${shown.spoken}`);
    view.keepUp();
    emit('message', { role: message.role, content: message.content, author: message.author });
    if (this.#isOpen) this.#markSeen();
  }

  #onState(state: State): void {
    const { view, changed } = this.#options;
    this.#state = state;
    const withPerson = this.#isWithPerson();
    if (!withPerson) this.typing.end();
    const kind = state.status === 'person' || state.status === 'waiting' ? state.status : 'machine';
    const text = this.#text(kind === 'person' ? 'withPerson' : kind);
    view.setStatus(formatText(text, { name: state.agent ?? '' }), kind);
    view.setWithPerson(withPerson);
    view.closing.show(state);
    // Agents also write unasked, and after the end.
    if (this.#hasAgent || state.status !== 'open' || (this.#isOpen && this.#shown.size)) this.#news.start();
    changed(this.#isOpen ? { ...state, unread: 0 } : state);
  }

  #isWithPerson(): boolean {
    return this.#state.status === 'waiting' || this.#state.status === 'person';
  }

  #markSeen(): void {
    if (this.#state.status === 'open' || !this.#options.api.hasSession) return;
    this.#options.changed({ ...this.#state, unread: 0 });
    void this.#options.api.post('/read').catch(() => undefined);
  }

  #setBusy(isBusy: boolean): void {
    this.#busy = isBusy;
    this.#options.view.setBusy(isBusy);
  }

  #showError({ code, retryAfter }: ApiError, questionView: MessageView, again: () => void): void {
    const { view } = this.#options;
    const once = onlyOnce(again);
    questionView.setFailed(true);
    const fault = errorText(code);
    if (code !== 'quota_exhausted') questionView.offer(this.#text('retry'), once);
    if (fault === 'failed' && !this.#isWithPerson())
      questionView.offer(this.#text('human'), () => this.human());
    view.setNotice(this.#text(fault));
    if (isOffline(code)) void untilOnline().then(once);
    else if (isLimit(code) && retryAfter <= maxWaitSeconds)
      void delay(Math.max(1, retryAfter) * 1_000).then(once);
  }

  #text(name: string): string {
    return this.#options.look.texts[name] ?? '';
  }
}

/** Returns the name of the text that explains an error. */
function errorText(code: string): string {
  if (code === 'quota_exhausted') return 'quota';
  if (isLimit(code)) return 'limited';
  if (code === 'channel_not_found') return 'unavailable';
  return isOffline(code) ? 'offline' : 'failed';
}

const isOffline = (code: string) => code === 'unreachable' && !navigator.onLine;

const isLimit = (code: string) => code.startsWith('rate_limit') || code === 'challenge_required';

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
