import type { PlatformSocket } from '../../../../core/contract/listener.ts';

/** Why ConversationRelay gives a call back; it holds nothing that somebody said. */
export type HandoffReason = 'person' | 'goodbye';

/** What is said to ConversationRelay. */
export class RelayLine {
  readonly #socket: Pick<PlatformSocket, 'send'>;
  #letters = 0;

  constructor(socket: Pick<PlatformSocket, 'send'>) {
    this.#socket = socket;
  }

  /** How much was handed over to be read since the caller had his turn last. */
  get letters(): number {
    return this.#letters;
  }

  /** More of what is being said. What is `preemptible` is left off for whatever is said next. */
  say(words: string, { preemptible = false }: { readonly preemptible?: boolean } = {}): void {
    this.#letters += words.length;
    this.#send({ type: 'text', token: `${words} `, last: false, interruptible: true, preemptible });
  }

  /** All was said. */
  listen(): void {
    this.#letters = 0;
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
