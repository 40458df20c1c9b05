import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Receipt } from '../../core/contract/outbound.ts';
import type { Address } from './address.ts';
import { closingBlocks, type Look } from './blocks-of.ts';
import { changePart } from './change-part.ts';
import { refusesBlocks } from './content-of.ts';
import { continues, type DraftState } from './draft-state.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import type { Part } from './part.ts';
import { postPart } from './post-part.ts';
import { refusalError } from './refusal.ts';
import { deleteMessage, isEnded, stopStream } from './stream-calls.ts';

interface Ending {
  readonly state: DraftState;
  readonly part: Part;
  readonly address: Address;
}

/** What was shown goes on to its end where it is still the beginning of the answer; else the answer takes its place. */
export async function endDraft(ending: Ending, account: SlackAccount, tools: Tools): Promise<Receipt> {
  const { state, part, address } = ending;
  if (!continues(state, part.markdown)) return replace(ending, account, tools);
  const receipt = { messageId: writeMessageId({ channel: address.channel, ts: state.ts }) };
  if (state.how === 'stream' && (await finish(ending, account, tools))) return receipt;
  return (await changed(ending, account, tools)) ? receipt : resume(ending, account, tools);
}

/** False where Slack had ended it already: of itself, or because we did and did not hear of it. */
async function finish(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<boolean> {
  const rest = part.markdown.slice(state.upTo);
  for (const look of ['rich', 'basic', null] satisfies (Look | null)[]) {
    const blocks = look === null ? [] : closingBlocks(part, look);
    const outcome = await stopStream({ rest, blocks }, { ts: state.ts, address }, account, tools);
    if (outcome.ok) return true;
    if (isEnded(outcome.refusal)) return false;
    if (!refusesBlocks(outcome.refusal)) throw refusalError(outcome.refusal);
  }
  return false;
}

/** The last message, made whole. False where Slack does not let it be changed. */
async function changed(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<boolean> {
  const whole = { ...part, markdown: part.markdown.slice(state.from).trimStart() };
  try {
    await changePart(whole, { ts: state.ts, address }, account, tools);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.account || error.advice.retry !== 'never') throw error;
    return false;
  }
}

/** Only what was not shown yet is said, in a message of its own. */
async function resume(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  const pending = part.markdown.slice(state.upTo).trimStart();
  if (pending === '') return { messageId: writeMessageId({ channel: address.channel, ts: state.ts }) };
  return postPart({ part: { ...part, markdown: pending, text: pending }, address }, account, tools);
}

async function replace(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  if (state.how === 'stream')
    await stopStream({ rest: '', blocks: [] }, { ts: state.ts, address }, account, tools);
  const [first = state.ts, ...others] = [...state.earlier, state.ts];
  await changePart(part, { ts: first, address }, account, tools);
  for (const ts of others) await deleteMessage({ ts, address }, account, tools);
  return { messageId: writeMessageId({ channel: address.channel, ts: first }) };
}
