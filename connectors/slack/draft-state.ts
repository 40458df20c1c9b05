import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Draft } from '../../core/contract/facets.ts';

const schema = z.object({
  /** Slack's own way of showing an answer while it is made, or a message that is edited again and again. */
  how: z.enum(['stream', 'edit']),
  /** Of the message that grows. */
  ts: z.string(),
  /** Of those before it, which Slack had ended by itself. */
  earlier: z.array(z.string()),
  /** Where in the Markdown the message begins, and up to where it is shown, with what shows that this is still so. */
  from: z.int().nonnegative(),
  upTo: z.int().nonnegative(),
  digest: z.string(),
});

export type DraftState = z.infer<typeof schema>;

export function stateOf({ state }: Draft): DraftState {
  const read = schema.safeParse(state);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a draft in Slack.', { advice: { retry: 'never' } });
}

export function digestOf(shown: string): string {
  return createHash('sha256').update(shown).digest('base64url').slice(0, 22);
}

/** Whether a text goes on where what was shown ends. */
export function continues({ upTo, digest }: DraftState, markdown: string): boolean {
  return digestOf(markdown.slice(0, upTo)) === digest;
}
