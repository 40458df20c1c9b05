import { z } from 'zod';
import type { PlatformSocket } from '../../../../core/contract/listener.ts';
import { optionalField, parseJson } from '../../../shared/http.ts';
import { greetingParameter } from '../twiml.ts';

/** The messages of ConversationRelay that we use. */
const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('setup'),
    sessionId: z.string().regex(/^VX\w{1,64}$/),
    callSid: z.string().regex(/^CA\w{1,64}$/),
    accountSid: optionalField(z.string()),
    from: optionalField(z.string()),
    to: optionalField(z.string()),
    callerName: optionalField(z.string()),
    customParameters: optionalField(
      z.object({ [greetingParameter]: z.coerce.number().int().positive().max(5_000) }),
    ),
  }),
  z.object({ type: z.literal('prompt'), voicePrompt: z.string(), last: z.boolean().catch(true) }),
  z.object({ type: z.literal('dtmf'), digit: z.string() }),
  z.object({ type: z.literal('interrupt'), utteranceUntilInterrupt: z.string().catch('') }),
  z.object({ type: z.literal('error'), description: optionalField(z.string()) }),
]);

export type RelayMessage = z.infer<typeof schema>;
export type RelaySetup = Extract<RelayMessage, { type: 'setup' }>;

/** Parses a message; returns null for any other. */
export function parseRelayMessage(text: string): RelayMessage | null {
  return schema.safeParse(parseJson(Buffer.from(text))).data ?? null;
}

/** The reason for ending the relay. It contains nothing that the caller said. */
type HandoffReason = 'person' | 'goodbye';

/** Sends messages to ConversationRelay. */
export class RelayLine {
  readonly #socket: Pick<PlatformSocket, 'send'>;
  #letters = 0;

  constructor(socket: Pick<PlatformSocket, 'send'>) {
    this.#socket = socket;
  }

  /** Number of characters sent since the caller's last turn. */
  get letters(): number {
    return this.#letters;
  }

  /** Adds to the current speech. The next speech replaces text that is `preemptible`. */
  say(words: string, { preemptible = false }: { readonly preemptible?: boolean } = {}): void {
    this.#letters += words.length;
    this.#send({ type: 'text', token: `${words} `, last: false, interruptible: true, preemptible });
  }

  /** Ends the speech. */
  listen(): void {
    this.#letters = 0;
    this.#send({ type: 'text', token: '', last: true });
  }

  /** Ends the relay. The call continues at the `action` address. */
  end(reason: HandoffReason): void {
    this.#send({ type: 'end', handoffData: JSON.stringify({ reason }) });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}
