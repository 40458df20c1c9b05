import type { ChatView } from '../view/chat-view.ts';
import { formatText } from '../view/dom.ts';
import type { Api } from './api.ts';

interface TypingParts {
  readonly api: Api;
  readonly view: ChatView;
  /** `{name} is writing`. */
  readonly text: string;
  /** Whether the place of the sign shows the stage of an answer. */
  readonly isBusy: () => boolean;
  /** Whether an agent has the conversation or was asked for. */
  readonly isWithPerson: () => boolean;
}

/** How long an agent's sign is shown: it is repeated every five seconds. */
const agentMs = 8_000;
/** How often agents are told that the visitor writes. */
const visitorMs = 4_000;

/** Shows the visitor that an agent writes, and agents that the visitor does. */
export class TypingSigns {
  readonly #parts: TypingParts;
  #shown: ReturnType<typeof setTimeout> | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(parts: TypingParts) {
    this.#parts = parts;
  }

  /** Tells agents. Call it with each change of the visitor's text. */
  tell(): void {
    const now = performance.now();
    if (!this.#parts.isWithPerson() || now - this.#toldAt < visitorMs) return;
    this.#toldAt = now;
    void this.#parts.api.post('/typing').catch(() => undefined);
  }

  show(name: string): void {
    const { view, text, isBusy, isWithPerson } = this.#parts;
    if (isBusy() || !isWithPerson()) return;
    clearTimeout(this.#shown);
    view.setTyping(formatText(text, { name }));
    this.#shown = setTimeout(() => this.end(), agentMs);
  }

  /** The agent's message has come, or the agent has left. */
  end(): void {
    if (this.#shown === undefined) return;
    clearTimeout(this.#shown);
    this.#shown = undefined;
    if (!this.#parts.isBusy()) this.#parts.view.setTyping(null);
  }
}
