import type { Message } from '../types.ts';
import type { MessageView } from '../view/message-view.ts';

interface PendingQuestion {
  readonly view: MessageView;
  /** Id of the answer. */
  answerId?: string;
  isLost?: boolean;
}

/**
 * The questions of this page whose ids are not known yet, because the server sends them only with the history. Oldest
 * first.
 */
export class PendingQuestions {
  readonly #pending: PendingQuestion[] = [];

  /** Adds a question, or moves a repeated one to the end. */
  ask(view: MessageView): void {
    this.#remove(this.#find(view));
    this.#pending.push({ view });
  }

  answered(view: MessageView, answerId: string): void {
    const question = this.#find(view);
    if (question !== undefined) question.answerId = answerId;
  }

  /** The connection was lost. The server's text may differ, because it masks secrets. */
  lost(view: MessageView): void {
    const question = this.#find(view);
    if (question !== undefined) question.isLost = true;
  }

  has(view: MessageView): boolean {
    return this.#find(view) !== undefined;
  }

  /** Removes a question whose id is now known. */
  identified(view: MessageView): MessageView {
    this.#remove(this.#find(view));
    return view;
  }

  /** The first question without an answer. Everything in the server's history comes before it. */
  get firstUnanswered(): MessageView | undefined {
    return this.#pending.find(({ answerId }) => answerId === undefined)?.view;
  }

  /** Finds the question that a message belongs to, by the id of the next message or by its text, and removes it. */
  find({ role, content }: Message, nextId: string | undefined): MessageView | undefined {
    if (role !== 'user') return undefined;
    const question = this.#pending.find(({ view, answerId, isLost }) =>
      answerId === undefined ? isLost === true || view.text === content : answerId === nextId,
    );
    this.#remove(question);
    return question?.view;
  }

  clear(): void {
    this.#pending.length = 0;
  }

  #find(view: MessageView): PendingQuestion | undefined {
    return this.#pending.find((question) => question.view === view);
  }

  #remove(question: PendingQuestion | undefined): void {
    if (question !== undefined) this.#pending.splice(this.#pending.indexOf(question), 1);
  }
}
