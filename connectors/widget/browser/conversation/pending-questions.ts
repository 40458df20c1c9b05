import type { Message } from '../types.ts';
import type { MessageView } from '../view/message-view.ts';

interface PendingQuestion {
  readonly view: MessageView;
  /** Of what it was answered with. */
  answerId?: string;
  isLost?: boolean;
}

/** What was asked on this page and has no id yet: the server tells that with the history only. Oldest first. */
export class PendingQuestions {
  readonly #unnamed: PendingQuestion[] = [];

  /** For the first time, or again. */
  ask(view: MessageView): void {
    this.#drop(this.#of(view));
    this.#unnamed.push({ view });
  }

  answered(view: MessageView, answerId: string): void {
    const own = this.#of(view);
    if (own !== undefined) own.answerId = answerId;
  }

  /** Its connection was lost: how the server has its words is not known, where it masks what is secret. */
  lost(view: MessageView): void {
    const own = this.#of(view);
    if (own !== undefined) own.isLost = true;
  }

  has(view: MessageView): boolean {
    return this.#of(view) !== undefined;
  }

  /** Its id is known from now on. */
  name(view: MessageView): MessageView {
    this.#drop(this.#of(view));
    return view;
  }

  /** The first of which nothing is known: everything that the server has was said before it. */
  get firstUntold(): MessageView | undefined {
    return this.#unnamed.find(({ answerId }) => answerId === undefined)?.view;
  }

  /** Which of them a message is, by what comes after it, or by its words. It is named then. */
  find({ role, content }: Message, nextId: string | undefined): MessageView | undefined {
    if (role !== 'user') return undefined;
    const own = this.#unnamed.find(({ view, answerId, isLost }) =>
      answerId === undefined ? isLost === true || view.text === content : answerId === nextId,
    );
    this.#drop(own);
    return own?.view;
  }

  clear(): void {
    this.#unnamed.length = 0;
  }

  #of(view: MessageView): PendingQuestion | undefined {
    return this.#unnamed.find((own) => own.view === view);
  }

  #drop(own: PendingQuestion | undefined): void {
    if (own !== undefined) this.#unnamed.splice(this.#unnamed.indexOf(own), 1);
  }
}
