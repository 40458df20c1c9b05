import { createHash } from 'node:crypto';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Draft, Streaming } from '../../core/contract/facets.ts';
import type { Receipt } from '../../core/contract/outbound.ts';
import { type CallOutcome, callSlack, type Refusal, refusalError } from './api-client.ts';
import { postPart, updateMessage } from './deliver.ts';
import {
  type Address,
  formatMessageId,
  isDirectMessage,
  parseAddress,
  parseMessageId,
} from './identifiers.ts';
import { MAX_MARKDOWN_CHARS, type SlackAccount } from './manifest.ts';
import {
  type BlockOptions,
  buildFooterBlocks,
  escapeMentions,
  isBlocksRefused,
  type Part,
  parsePart,
} from './render.ts';

/**
 * Shows answers while they are generated. Slack supports streams in threads only, and outside direct messages it requires
 * a recipient.
 */
export const createStreaming = (account: SlackAccount): Streaming => ({
  /** Slack's limits for a team are 50 edits and 100 stream pieces a minute. */
  everyMs: 1_200,

  applies(to) {
    const { channel, thread, user, userTeam } = parseAddress(to);
    return (
      account.settings.streaming &&
      thread !== null &&
      (isDirectMessage(channel) || (user !== null && userTeam !== null))
    );
  },

  async begin({ text, to }, tools) {
    return { state: await startDraft(escapeMentions(text), parseAddress(to), account, tools) };
  },

  async show({ draft, text, to }, tools) {
    const state = parseDraftState(draft);
    const address = parseAddress(to);
    const markdown = escapeMentions(text);
    const pending = markdown.slice(state.upTo);
    const isFull = markdown.length - state.from > MAX_MARKDOWN_CHARS;
    if (pending === '' || isFull) return draft;
    const shown = { ...state, upTo: markdown.length, digest: textDigest(markdown) };
    if (state.how === 'edit') {
      await updateMessage(draftPart(markdown.slice(state.from)), { ts: state.ts, address }, account, tools);
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

  async end({ draft, part, to }, tools) {
    return endDraft(
      { state: parseDraftState(draft), part: parsePart(part), address: parseAddress(to) },
      account,
      tools,
    );
  },

  async discard(draft, to, tools) {
    const { how, ts, earlier } = parseDraftState(draft);
    const address = parseAddress(to);
    if (how === 'stream') await stopStream({ rest: '', blocks: [] }, { ts, address }, account, tools);
    for (const each of [...earlier, ts]) {
      const outcome = await deleteMessage({ ts: each, address }, account, tools);
      if (!outcome.ok && outcome.refusal.code !== 'message_not_found') throw refusalError(outcome.refusal);
    }
  },
});

/** Starts a stream. If Slack refuses streams here, posts a message that is edited repeatedly. */
async function startDraft(
  markdown: string,
  address: Address,
  account: SlackAccount,
  tools: Tools,
): Promise<DraftState> {
  const common = { earlier: [], from: 0, upTo: markdown.length, digest: textDigest(markdown) };
  const started = await tryStartStream(markdown, address, account, tools);
  if (started.ok && started.result.ts !== undefined)
    return { ...common, how: 'stream', ts: started.result.ts };
  if (!started.ok) {
    const error = refusalError(started.refusal);
    if (error.account || error.advice.retry !== 'never') throw error;
  }
  const { messageId } = await postPart({ part: draftPart(markdown), address }, account, tools);
  return { ...common, how: 'edit', ts: parseMessageId(messageId)?.ts ?? '' };
}

/** A server without the method may respond with only an HTTP status, so that counts as a refusal too. */
async function tryStartStream(
  ...[markdown, address, account, tools]: Parameters<typeof startStream>
): Promise<CallOutcome<{ ts?: string }>> {
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

/** Completes the draft if its text is a prefix of the answer. Otherwise it replaces the draft with the answer. */
async function endDraft(ending: Ending, account: SlackAccount, tools: Tools): Promise<Receipt> {
  const { state, part, address } = ending;
  if (!isContinuation(state, part.markdown)) return replace(ending, account, tools);
  const receipt = { messageId: formatMessageId({ channel: address.channel, ts: state.ts }) };
  if (state.how === 'stream' && (await finishStream(ending, account, tools))) return receipt;
  return (await updateDraft(ending, account, tools)) ? receipt : resumeStream(ending, account, tools);
}

/** Returns false if the stream had already ended: Slack ended it, or the response to an earlier `chat.stopStream` was lost. */
async function finishStream(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<boolean> {
  const rest = part.markdown.slice(state.upTo);
  for (const look of ['rich', 'basic', null] satisfies (BlockOptions | null)[]) {
    const blocks = look === null ? [] : buildFooterBlocks(part, look);
    const outcome = await stopStream({ rest, blocks }, { ts: state.ts, address }, account, tools);
    if (outcome.ok) return true;
    if (isEnded(outcome.refusal)) return false;
    if (!isBlocksRefused(outcome.refusal)) throw refusalError(outcome.refusal);
  }
  return false;
}

/** Edits the last message to its full text. Returns false if Slack refuses the edit. */
async function updateDraft(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<boolean> {
  const whole = { ...part, markdown: part.markdown.slice(state.from).trimStart() };
  try {
    await updateMessage(whole, { ts: state.ts, address }, account, tools);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.account || error.advice.retry !== 'never') throw error;
    return false;
  }
}

/** Posts the rest of the answer in a new message. */
async function resumeStream(
  { state, part, address }: Ending,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  const pending = part.markdown.slice(state.upTo).trimStart();
  if (pending === '') return { messageId: formatMessageId({ channel: address.channel, ts: state.ts }) };
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
  await updateMessage(part, { ts: first, address }, account, tools);
  for (const ts of others) await deleteMessage({ ts, address }, account, tools);
  return { messageId: formatMessageId({ channel: address.channel, ts: first }) };
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
): Promise<CallOutcome<{ ts?: string }>> {
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
): Promise<CallOutcome<unknown>> {
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
): Promise<CallOutcome<unknown>> {
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
): Promise<CallOutcome<unknown>> {
  return callSlack(
    { method: 'chat.delete', team, run: (client) => client.chat.delete({ channel, ts }) },
    account,
    tools,
  );
}

const schema = z.object({
  /** A Slack stream, or a message that is edited repeatedly. */
  how: z.enum(['stream', 'edit']),
  /** The `ts` of the current message. */
  ts: z.string(),
  /** The `ts` of earlier messages, whose streams Slack ended. */
  earlier: z.array(z.string()),
  /** Offsets in the Markdown: where the current message begins and how far it is shown. The digest covers the shown text. */
  from: z.int().nonnegative(),
  upTo: z.int().nonnegative(),
  digest: z.string(),
});

type DraftState = z.infer<typeof schema>;

function parseDraftState({ state }: Draft): DraftState {
  const parsed = schema.safeParse(state);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored state is not a Slack draft.', { advice: { retry: 'never' } });
}

function textDigest(shown: string): string {
  return createHash('sha256').update(shown).digest('base64url').slice(0, 22);
}

/** Returns whether the shown text is a prefix of a text. */
function isContinuation({ upTo, digest }: DraftState, markdown: string): boolean {
  return textDigest(markdown.slice(0, upTo)) === digest;
}

/** Returns an unfinished answer as a part without sources and buttons. */
function draftPart(markdown: string): Part {
  const shown = markdown.trim() === '' ? '…' : markdown;
  return { markdown: shown, text: shown, sources: [], offers: [], language: null };
}
