import { createHash } from 'node:crypto';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Draft, Streaming } from '../../core/contract/facets.ts';
import type { Receipt } from '../../core/contract/outbound.ts';
import { callSlack, type Outcome, type Refusal, refusalError } from './api-client.ts';
import { closingBlocks, type Look, neutral, type Part, partOf, refusesBlocks } from './blocks.ts';
import { changePart, postPart } from './deliver.ts';
import { type Address, addressOf, isDirect, readMessageId, writeMessageId } from './identifiers.ts';
import { MARKDOWN_CHARS, type SlackAccount } from './manifest.ts';

/** Shows answers in threads: Slack has it nowhere else, and wants to know for whom outside of direct messages. */
export const streaming: Streaming<SlackAccount['credentials'], SlackAccount['settings']> = {
  /** 50 edits a minute are allowed in all of a team, and 100 pieces of streams. */
  everyMs: 1_200,

  applies(to, { settings }) {
    const { channel, thread, user, userTeam } = addressOf(to);
    return (
      settings.streaming && thread !== null && (isDirect(channel) || (user !== null && userTeam !== null))
    );
  },

  async begin({ text, to }, account, tools) {
    return { state: await beginDraft(neutral(text), addressOf(to), account, tools) };
  },

  async show({ draft, text, to }, account, tools) {
    const state = stateOf(draft);
    const address = addressOf(to);
    const markdown = neutral(text);
    const pending = markdown.slice(state.upTo);
    const isFull = markdown.length - state.from > MARKDOWN_CHARS;
    if (pending === '' || isFull) return draft;
    const shown = { ...state, upTo: markdown.length, digest: digestOf(markdown) };
    if (state.how === 'edit') {
      await changePart(growingPart(markdown.slice(state.from)), { ts: state.ts, address }, account, tools);
      return { state: shown };
    }
    const appended = await appendStream(pending, { ts: state.ts, address }, account, tools);
    if (appended.ok) return { state: shown };
    if (!isEnded(appended.refusal)) throw refusalError(appended.refusal);
    const started = await startStream(pending, address, account, tools);
    if (!started.ok) throw refusalError(started.refusal);
    const { ts = state.ts } = started.result;
    return { state: { ...shown, ts, earlier: [...state.earlier, state.ts], from: state.upTo } };
  },

  async end({ draft, part, to }, account, tools) {
    return endDraft({ state: stateOf(draft), part: partOf(part), address: addressOf(to) }, account, tools);
  },

  async discard(draft, to, account, tools) {
    const { how, ts, earlier } = stateOf(draft);
    const address = addressOf(to);
    if (how === 'stream') await stopStream({ rest: '', blocks: [] }, { ts, address }, account, tools);
    for (const each of [...earlier, ts]) {
      const outcome = await deleteMessage({ ts: each, address }, account, tools);
      if (!outcome.ok && outcome.refusal.code !== 'message_not_found') throw refusalError(outcome.refusal);
    }
  },
};

/** Where Slack does not show an answer as it is made, one message is edited again and again. */
async function beginDraft(
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

interface Ending {
  readonly state: DraftState;
  readonly part: Part;
  readonly address: Address;
}

/** What was shown goes on to its end where it is still the beginning of the answer; else the answer takes its place. */
async function endDraft(ending: Ending, account: SlackAccount, tools: Tools): Promise<Receipt> {
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

interface Streamed {
  readonly ts: string;
  readonly address: Pick<Address, 'channel' | 'team'>;
}

/** Slack ends a stream by itself after about five minutes. */
function isEnded({ code }: Refusal): boolean {
  return code === 'message_not_in_streaming_state';
}

function startStream(
  markdown_text: string,
  { channel, thread, user, userTeam, team }: Address,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<{ ts?: string }>> {
  return callSlack(
    {
      method: 'chat.startStream',
      team,
      run: (client) =>
        client.chat.startStream({
          channel,
          thread_ts: thread ?? '',
          markdown_text,
          ...(user !== null && userTeam !== null && { recipient_user_id: user, recipient_team_id: userTeam }),
        }),
    },
    account,
    tools,
  );
}

function appendStream(
  markdown_text: string,
  { ts, address: { channel, team } }: Streamed,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<unknown>> {
  return callSlack(
    {
      method: 'chat.appendStream',
      team,
      run: (client) => client.chat.appendStream({ channel, ts, markdown_text }),
    },
    account,
    tools,
  );
}

function stopStream(
  { rest, blocks }: { readonly rest: string; readonly blocks: types.KnownBlock[] },
  { ts, address: { channel, team } }: Streamed,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<unknown>> {
  return callSlack(
    {
      method: 'chat.stopStream',
      team,
      run: (client) =>
        client.chat.stopStream({
          channel,
          ts,
          ...(rest !== '' && { markdown_text: rest }),
          ...(blocks.length > 0 && { blocks }),
        }),
    },
    account,
    tools,
  );
}

function deleteMessage(
  { ts, address: { channel, team } }: Streamed,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<unknown>> {
  return callSlack(
    { method: 'chat.delete', team, run: (client) => client.chat.delete({ channel, ts }) },
    account,
    tools,
  );
}

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

type DraftState = z.infer<typeof schema>;

function stateOf({ state }: Draft): DraftState {
  const read = schema.safeParse(state);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a draft in Slack.', { advice: { retry: 'never' } });
}

function digestOf(shown: string): string {
  return createHash('sha256').update(shown).digest('base64url').slice(0, 22);
}

/** Whether a text goes on where what was shown ends. */
function continues({ upTo, digest }: DraftState, markdown: string): boolean {
  return digestOf(markdown.slice(0, upTo)) === digest;
}

/** An answer as it is so far: nothing stands below it yet. */
function growingPart(markdown: string): Part {
  const shown = markdown.trim() === '' ? '…' : markdown;
  return { markdown: shown, text: shown, sources: [], offers: [], language: null };
}
