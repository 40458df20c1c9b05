import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { SoughtPart, Typing } from '../../core/contract/facets.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { optionalField } from '../shared/http.ts';
import { type CallOutcome, callSlack, callSlackOrThrow, refusalError } from './api-client.ts';
import { type Address, formatMessageId, parseAddress } from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';
import { isBlocksRefused, messageContents, type Part, parsePart } from './render.ts';

const CHANNEL_MS = 1_000;
/** Slack documents "several hundred messages per minute" for a team; 120 ms is 500 a minute. */
const TEAM_MS = 120;
const TEAM_BURST = 50;

/** Returns the send budgets of a conversation. All threads of a channel share the channel's budget. */
export function budgets(to: ConversationRef, { settings }: SlackAccount): readonly Budget[] {
  if (settings.pace === false) return [];
  const { channel, tenant } = parseAddress(to);
  return [
    { key: `channel:${channel}`, everyMs: CHANNEL_MS, burst: 1 },
    { key: `team:${tenant}`, everyMs: TEAM_MS, burst: TEAM_BURST },
  ];
}

export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  return postPart(
    { part: parsePart(part), address: parseAddress(to), metadata: buildMetadata(part, account) },
    account,
    tools,
  );
}

interface PostTarget {
  readonly part: Part;
  readonly address: Address;
  /** Identifies the message for `findSent`. */
  readonly metadata?: MessageMetadata | null;
}

/** Posts a new message and returns its id. */
export async function postPart(
  { part, address, metadata = null }: PostTarget,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  const { channel, thread, team } = address;
  const { ts } = await sendFirstAccepted(
    messageContents(part),
    (content) =>
      callSlack(
        {
          method: 'chat.postMessage',
          team,
          run: (client) =>
            client.chat.postMessage({
              channel,
              ...(thread !== null && { thread_ts: thread }),
              ...content,
              ...(metadata !== null && { metadata }),
              unfurl_links: false,
              unfurl_media: false,
            }),
        },
        account,
        tools,
      ),
    tools,
  );
  if (ts === undefined) {
    throw new ConnectorError('Slack accepted the message but returned no id for it.', {
      advice: { retry: 'never' },
    });
  }
  return { messageId: formatMessageId({ channel, ts }) };
}

interface Sent {
  readonly ts: string;
  readonly address: Pick<Address, 'channel' | 'team'>;
}

/** Replaces the content of a message. */
export async function updateMessage(
  part: Part,
  { ts, address: { channel, team } }: Sent,
  account: SlackAccount,
  tools: Tools,
): Promise<void> {
  await sendFirstAccepted(
    messageContents(part),
    (content) =>
      callSlack(
        {
          method: 'chat.update',
          team,
          // chat.update keeps the old blocks if the request names none.
          run: (client) => client.chat.update({ channel, ts, blocks: [], ...content }),
        },
        account,
        tools,
      ),
    tools,
  );
}

type Content = ReturnType<typeof messageContents>[number];

/** Tries representations in turn until Slack accepts one. Throws a refusal that is not about blocks. */
async function sendFirstAccepted<Result>(
  contents: readonly Content[],
  attempt: (content: Content) => Promise<CallOutcome<Result>>,
  tools: Pick<Tools, 'log'>,
): Promise<Result> {
  let outcome: CallOutcome<Result> | undefined;
  for (const content of contents) {
    outcome = await attempt(content);
    if (outcome.ok) return outcome.result;
    if (!isBlocksRefused(outcome.refusal)) break;
    const { code, details } = outcome.refusal;
    tools.log.warn(
      { because: [code, ...details].join('. ') },
      'message blocks refused, simpler content sent',
    );
  }
  throw refusalError(
    outcome?.ok === false ? outcome.refusal : { method: 'a message', code: 'no_text', details: [] },
  );
}

const EVENT = 'parley_message';

/** The metadata as Slack returns it with `include_all_metadata`. */
const metadataSchema = z.object({
  event_type: z.literal(EVENT),
  event_payload: z.object({ account: z.string(), part: z.string() }),
});

type MessageMetadata = z.infer<typeof metadataSchema>;

/** Returns invisible metadata that identifies a message. Null for a part without a key. */
function buildMetadata(
  { key }: Pick<OutboundPart, 'key'>,
  { id }: Pick<SlackAccount, 'id'>,
): MessageMetadata | null {
  return key === undefined ? null : { event_type: EVENT, event_payload: { account: id, part: key } };
}

const page = z.object({
  messages: z.array(z.object({ ts: z.string(), metadata: optionalField(metadataSchema) })),
});

/** Slack recommends at most 200 messages a page. */
const PAGE_SIZE = 200;

/** Finds a sent message by its metadata. */
export async function findSent(
  { part, to, since }: SoughtPart,
  account: SlackAccount,
  tools: Tools,
): Promise<readonly Receipt[]> {
  const expected = buildMetadata(part, account);
  if (expected === null) return [];
  const { channel, thread, team } = parseAddress(to);
  const query = {
    channel,
    oldest: (since.getTime() / 1_000).toFixed(6),
    limit: PAGE_SIZE,
    include_all_metadata: true,
  };
  const response = await callSlackOrThrow<unknown>(
    {
      method: thread === null ? 'conversations.history' : 'conversations.replies',
      team,
      run: ({ conversations }) =>
        thread === null ? conversations.history(query) : conversations.replies({ ...query, ts: thread }),
    },
    account,
    tools,
  );
  return (page.safeParse(response).data?.messages ?? [])
    .filter(({ metadata }) => isDeepStrictEqual(metadata, expected))
    .map(({ ts }) => ({ messageId: formatMessageId({ channel, ts }) }));
}

export const createTyping = (account: SlackAccount): Typing => ({
  /** Slack clears the status after two minutes, or when a message is sent. */
  lastsMs: 100_000,

  /** Not every surface and plan supports statuses, so a refusal is ignored. */
  async show(to, tools) {
    const { channel, thread, team } = parseAddress(to);
    const [status, ...others] = account.settings.statuses;
    if (thread === null || status === undefined) return;
    const params = { channel_id: channel, thread_ts: thread, status };
    await callSlack(
      {
        method: 'assistant.threads.setStatus',
        team,
        run: (client) =>
          client.assistant.threads.setStatus({
            ...params,
            ...(others.length > 0 && { loading_messages: [status, ...others] }),
          }),
      },
      account,
      tools,
    );
  },
});

/** Shows the suggested prompts. In the older kind of direct message they belong to a thread, in the newer kind they do not. */
export async function welcome(to: ConversationRef, account: SlackAccount, tools: Tools): Promise<void> {
  const { channel, thread, team } = parseAddress(to);
  const { prompts } = account.settings;
  if (prompts.length === 0) return;
  await callSlackOrThrow(
    {
      method: 'assistant.threads.setSuggestedPrompts',
      team,
      run: (client) =>
        client.assistant.threads.setSuggestedPrompts({
          channel_id: channel,
          ...(thread !== null && { thread_ts: thread }),
          prompts,
        }),
    },
    account,
    tools,
  );
}
