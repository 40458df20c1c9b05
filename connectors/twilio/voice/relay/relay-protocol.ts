import { z } from 'zod';
import type { PlatformSocket } from '../../../../core/contract/listener.ts';
import { optionalField, parseJson } from '../../../shared/payload.ts';

/** What ConversationRelay tells, as far as it means something to us. */
const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('setup'),
    sessionId: z.string().regex(/^VX\w{1,64}$/),
    callSid: z.string().regex(/^CA\w{1,64}$/),
    accountSid: optionalField(z.string()),
    from: optionalField(z.string()),
    to: optionalField(z.string()),
    callerName: optionalField(z.string()),
  }),
  z.object({ type: z.literal('prompt'), voicePrompt: z.string(), last: z.boolean().catch(true) }),
  z.object({ type: z.literal('dtmf'), digit: z.string() }),
  z.object({ type: z.literal('interrupt'), utteranceUntilInterrupt: z.string().catch('') }),
  z.object({ type: z.literal('error'), description: optionalField(z.string()) }),
]);

export type RelayMessage = z.infer<typeof schema>;
export type RelaySetup = Extract<RelayMessage, { type: 'setup' }>;

/** Null for what is none of these. */
export function parseRelayMessage(text: string): RelayMessage | null {
  return schema.safeParse(parseJson(Buffer.from(text))).data ?? null;
}

/** Why ConversationRelay gives a call back; it holds nothing that somebody said. */
type HandoffReason = 'person' | 'goodbye';

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
