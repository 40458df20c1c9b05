import { z } from 'zod';
import { lenient } from '../../../shared/lenient.ts';
import { readJson } from '../../../shared/read-json.ts';

/** What ConversationRelay tells, as far as it means something to us. */
const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('setup'),
    sessionId: z.string().regex(/^VX\w{1,64}$/),
    callSid: z.string().regex(/^CA\w{1,64}$/),
    accountSid: lenient(z.string()),
    from: lenient(z.string()),
    to: lenient(z.string()),
    callerName: lenient(z.string()),
  }),
  z.object({ type: z.literal('prompt'), voicePrompt: z.string(), last: z.boolean().catch(true) }),
  z.object({ type: z.literal('dtmf'), digit: z.string() }),
  z.object({ type: z.literal('interrupt'), utteranceUntilInterrupt: z.string().catch('') }),
  z.object({ type: z.literal('error'), description: lenient(z.string()) }),
]);

export type RelayMessage = z.infer<typeof schema>;
export type RelaySetup = Extract<RelayMessage, { type: 'setup' }>;

/** Null for what is none of these. */
export function readRelayMessage(text: string): RelayMessage | null {
  return schema.safeParse(readJson(Buffer.from(text))).data ?? null;
}
