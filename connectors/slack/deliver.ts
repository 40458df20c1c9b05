import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Facets } from '../../core/contract/facets.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { optionalField } from '../shared/payload.ts';
import { type CallOutcome, callSlack, callSlackOrThrow, refusalError } from './api-client.ts';
import { isBlocksRefused, messageContents, type Part, parsePart } from './blocks.ts';
import { type Address, formatMessageId, parseAddress } from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';

const CHANNEL_MS = 1_000;
/** Slack says "several hundred a minute" of a team. */
const TEAM_MS = 120;
const TEAM_BURST = 50;

/** Threads share what their channel may be sent. */
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
    { part: parsePart(part), address: parseAddress(to), mark: buildMetadata(part, account) },
    account,
    tools,
  );
}

interface PostTarget {
  readonly part: Part;
  readonly address: Address;
  /** Tells the message from every other. */
  readonly mark?: MessageMetadata | null;
}

/** Sends a new message. */
export async function postPart(
  { part, address, mark = null }: PostTarget,
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
              ...(mark !== null && { metadata: mark }),
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
    throw new ConnectorError('Slack does not say what it made of a message.', { advice: { retry: 'never' } });
  }
  return { messageId: formatMessageId({ channel, ts }) };
}

interface Sent {
  readonly ts: string;
  readonly address: Pick<Address, 'channel' | 'team'>;
}

/** Puts something else in the place of a message. */
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
          // Blocks that are not named stay.
          run: (client) => client.chat.update({ channel, ts, blocks: [], ...content }),
        },
        account,
        tools,
      ),
    tools,
  );
}

type Content = ReturnType<typeof messageContents>[number];

/** Says something in the first of several ways that Slack takes; what it refuses for another reason is thrown. */
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
      'Slack refused the blocks of a message: it goes out plainer',
    );
  }
  throw refusalError(
    outcome?.ok === false ? outcome.refusal : { method: 'a message', code: 'no_text', details: [] },
  );
}

const EVENT = 'parley_message';

/** As Slack tells it again to who asks for it. */
const metadataSchema = z.object({
  event_type: z.literal(EVENT),
  event_payload: z.object({ account: z.string(), part: z.string() }),
});

type MessageMetadata = z.infer<typeof metadataSchema>;

/** Goes with a message, where people do not see it, and tells it from every other; null for one that has no key. */
function buildMetadata(
  { key }: Pick<OutboundPart, 'key'>,
  { id }: Pick<SlackAccount, 'id'>,
): MessageMetadata | null {
  return key === undefined ? null : { event_type: EVENT, event_payload: { account: id, part: key } };
}

type FindSent = NonNullable<Facets<SlackAccount['credentials'], SlackAccount['settings']>['findSent']>;

const page = z.object({
  messages: z.array(z.object({ ts: z.string(), metadata: optionalField(metadataSchema) })),
});

/** As Slack recommends. */
const PAGE = 200;

/** By the mark that it was sent with. */
export const findSent: FindSent = async ({ part, to, since }, account, tools) => {
  const mark = buildMetadata(part, account);
  if (mark === null) return [];
  const { channel, thread, team } = parseAddress(to);
  const sought = {
    channel,
    oldest: (since.getTime() / 1_000).toFixed(6),
    limit: PAGE,
    include_all_metadata: true,
  };
  const told = await callSlackOrThrow<unknown>(
    {
      method: thread === null ? 'conversations.history' : 'conversations.replies',
      team,
      run: ({ conversations }) =>
        thread === null ? conversations.history(sought) : conversations.replies({ ...sought, ts: thread }),
    },
    account,
    tools,
  );
  return (page.safeParse(told).data?.messages ?? [])
    .filter(({ metadata }) => isDeepStrictEqual(metadata, mark))
    .map(({ ts }) => ({ messageId: formatMessageId({ channel, ts }) }));
};

type Typing = NonNullable<Facets<SlackAccount['credentials'], SlackAccount['settings']>['typing']>;

export const typing: Typing = {
  /** Slack forgets it after two minutes, or when something is sent. */
  lastsMs: 100_000,

  /** Not every place and plan has it: where it is refused, nothing is shown. */
  async show(to, account, tools) {
    const { channel, thread, team } = parseAddress(to);
    const [status, ...others] = account.settings.statuses;
    if (thread === null || status === undefined) return;
    const place = { channel_id: channel, thread_ts: thread, status };
    await callSlack(
      {
        method: 'assistant.threads.setStatus',
        team,
        run: (client) =>
          client.assistant.threads.setStatus({
            ...place,
            ...(others.length > 0 && { loading_messages: [status, ...others] }),
          }),
      },
      account,
      tools,
    );
  },
};

/** Suggests questions. In direct messages of the older kind they belong to a thread, in the newer one to none. */
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
