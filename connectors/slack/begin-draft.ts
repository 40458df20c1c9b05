import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Address } from './address.ts';
import { type DraftState, digestOf } from './draft-state.ts';
import { growingPart } from './growing-part.ts';
import type { SlackAccount } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import { postPart } from './post-part.ts';
import { type Outcome, refusalError } from './refusal.ts';
import { startStream } from './stream-calls.ts';

/** Where Slack does not show an answer as it is made, one message is edited again and again. */
export async function beginDraft(
  markdown: string,
  address: Address,
  account: SlackAccount,
  tools: Tools,
): Promise<DraftState> {
  const common = { earlier: [], from: 0, upTo: markdown.length, digest: digestOf(markdown) };
  const started = await tryStream(markdown, address, account, tools);
  if (started.ok && started.result.ts !== undefined)
    return { ...common, how: 'stream', ts: started.result.ts };
  if (!started.ok) {
    const error = refusalError(started.refusal);
    if (error.account || error.advice.retry !== 'never') throw error;
  }
  const { messageId } = await postPart({ part: growingPart(markdown), address }, account, tools);
  return { ...common, how: 'edit', ts: readMessageId(messageId)?.ts ?? '' };
}

/** A server that does not know the method may say so by its status alone. */
async function tryStream(
  ...[markdown, address, account, tools]: Parameters<typeof startStream>
): Promise<Outcome<{ ts?: string }>> {
  try {
    return await startStream(markdown, address, account, tools);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.account || error.advice.retry !== 'never') throw error;
    return {
      ok: false,
      refusal: { method: 'chat.startStream', code: 'unknown_method', details: [error.message] },
    };
  }
}
