import type { PlatformSocket } from '../../../../core/contract/socket-intake.ts';

/** Why ConversationRelay gives a call back; it holds nothing that somebody said. */
export type HandoffReason = 'person' | 'goodbye';

/** What is said to ConversationRelay. */
export class RelayLine {
  readonly #socket: Pick<PlatformSocket, 'send'>;

  constructor(socket: Pick<PlatformSocket, 'send'>) {
    this.#socket = socket;
  }

  /** More of what is being said. What is `preemptible` is left off for whatever is said next. */
  say(words: string, { preemptible = false }: { readonly preemptible?: boolean } = {}): void {
    this.#send({ type: 'text', token: `${words} `, last: false, interruptible: true, preemptible });
  }

  /** All was said. */
  listen(): void {
    this.#send({ type: 'text', token: '', last: true });
  }

  /** The call goes on where `action` says. */
  end(reason: HandoffReason): void {
    this.#send({ type: 'end', handoffData: JSON.stringify({ reason }) });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}
