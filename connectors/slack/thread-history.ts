import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Facets, SenderProfile } from '../../core/contract/facets.ts';
import { optionalField } from '../shared/payload.ts';
import { callSlack, callSlackOrThrow, refusalError } from './api-client.ts';
import { botIdentity, isDirectMessage, parseAddress, parseMessageId, parseSender } from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';
import { isUserMessage } from './normalise.ts';
import { attachmentTexts, mrkdwnToText } from './parse-text.ts';
import { messageSchema, type SlackMessage } from './payloads.ts';

type Earlier = NonNullable<
  Facets<SlackAccount['credentials'], SlackAccount['settings']>['fetchThreadContext']
>;

/** What was said in a thread before the app was mentioned there: how it began, and the latest of the rest. */
export const earlier: Earlier = async ({ to, messageId }, account, tools) => {
  const { channel, thread, team } = parseAddress(to);
  const before = parseMessageId(messageId)?.ts ?? thread;
  const most = account.settings.earlier_messages;
  if (most === 0 || isDirectMessage(channel) || thread === null || before === null || before === thread)
    return [];
  const messages = await readThread({ channel, team, thread, before }, account, tools);
  const bot = botIdentity({ authorizations: null, api_app_id: null }, account);
  const said = messages
    .filter((message) => isUserMessage(message) && !bot.wrote(message))
    .map((message) => ({ message, sender: parseSender(message, bot), text: messageText(message) }))
    .filter(({ text }) => text !== '');
  const kept = firstAndLatest(said, most);
  const ids = kept.flatMap(({ sender }) => (sender.kind === 'person' ? [sender.id] : []));
  const names = await fetchNames({ ids, to }, account, tools);
  return kept.map(({ message, sender, text }) => ({
    author: names.get(sender.id) ?? sender.name ?? message.bot_profile?.name ?? sender.id,
    text,
  }));
};

function messageText(message: SlackMessage): string {
  const words = mrkdwnToText(message.text ?? '').trim();
  return [...(words === '' ? [] : [words]), ...attachmentTexts(message)].join('\n');
}

function firstAndLatest<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return [...items.slice(0, 1), ...items.slice(items.length - (most - 1))];
}

interface Sought {
  readonly channel: string;
  readonly team: string;
  /** The message that the thread begins with. */
  readonly thread: string;
  /** Only what was said before it. */
  readonly before: string;
}

const page = z.object({
  messages: z.array(messageSchema).catch([]).prefault([]),
  response_metadata: optionalField(z.object({ next_cursor: optionalField(z.string()) })),
});

/** As Slack recommends. An app that is sold outside of its marketplace gets 15, once a minute. */
const PAGE = 200;
/** Slack tells the oldest ones first: a thread that is longer is known by its beginning. */
const MOST_PAGES = 5;

/** The messages of a thread, oldest first; its beginning where Slack does not tell the rest. */
async function readThread(
  { channel, team, thread, before }: Sought,
  account: SlackAccount,
  tools: Tools,
): Promise<readonly SlackMessage[]> {
  const read: SlackMessage[] = [];
  const place = { channel, ts: thread, latest: before, limit: PAGE };
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const next: z.infer<typeof page> | null = await askFor(cursor);
    if (next === null) break;
    read.push(...next.messages);
    cursor = next.response_metadata?.next_cursor || null;
    if (cursor === null) break;
  }
  return read.filter(({ ts }) => ts !== null && Number(ts) < Number(before));

  async function askFor(from: string | null): Promise<z.infer<typeof page> | null> {
    const asked = from === null ? place : { ...place, cursor: from };
    try {
      const told = await callSlackOrThrow(
        { method: 'conversations.replies', team, run: (client) => client.conversations.replies(asked) },
        account,
        tools,
      );
      return page.parse(told);
    } catch (error) {
      // What there is of it is better than nothing.
      if (from === null || !(error instanceof ConnectorError)) throw error;
      return null;
    }
  }
}

interface People {
  readonly ids: readonly string[];
  readonly to: ConversationRef;
}

/** What people are called, by their ids; without those of whom Slack does not tell it. */
async function fetchNames(
  { ids, to }: People,
  account: SlackAccount,
  tools: Tools,
): Promise<ReadonlyMap<string, string>> {
  const told = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await fetchName({ id, to }, account, tools)] as const),
  );
  return new Map(told.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

async function fetchName(...asked: Parameters<typeof introduce>): Promise<string | null> {
  try {
    return (await introduce(...asked)).name;
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}

type Introduce = NonNullable<
  Facets<SlackAccount['credentials'], SlackAccount['settings']>['fetchSenderProfile']
>;

interface Kept {
  readonly introduction: SenderProfile;
  readonly until: number;
}

const NOBODY: SenderProfile = { name: null, email: null, language: null };
const UNKNOWN = new Set(['user_not_found', 'user_not_visible']);
/** Names change, and scopes are added. */
const KEPT_MS = 3_600_000;
const MOST_KEPT = 20_000;

const profileCache = new LRUCache<string, Kept>({ max: MOST_KEPT });

/** Who somebody of a team is. Where the app may not ask, or asks too often, nobody is asked for a while. */
export const introduce: Introduce = async ({ id, to }, account, tools) => {
  const now = tools.now().getTime();
  const everybody = account.id;
  const own = `${account.id}/${id}`;
  for (const key of [own, everybody]) {
    const known = profileCache.get(key);
    if (known !== undefined && known.until > now) return known.introduction;
  }
  const keep = (key: string, introduction: SenderProfile, forMs = KEPT_MS) => {
    profileCache.set(key, { introduction, until: now + forMs });
    return introduction;
  };
  try {
    const told = await fetchUser({ id, team: parseAddress(to).team }, account, tools);
    if (told.ok) return keep(own, parseProfile(told.result.user));
    const { code } = told.refusal;
    if (UNKNOWN.has(code)) return keep(own, NOBODY);
    if (code !== 'missing_scope') throw refusalError(told.refusal);
    tools.log.warn({ channel: account.id }, 'the app may not ask who people are: it needs users:read');
    return keep(everybody, NOBODY);
  } catch (error) {
    if (error instanceof ConnectorError && error.advice.retry === 'after')
      keep(everybody, NOBODY, error.advice.afterMs);
    throw error;
  }
};

function fetchUser(
  { id, team }: { readonly id: string; readonly team: string },
  account: SlackAccount,
  tools: Tools,
) {
  const asked = { user: id, include_locale: true };
  return callSlack({ method: 'users.info', team, run: (client) => client.users.info(asked) }, account, tools);
}

interface User {
  readonly real_name?: string;
  readonly locale?: string;
  readonly is_email_confirmed?: boolean;
  readonly profile?: { readonly real_name?: string; readonly display_name?: string; readonly email?: string };
}

/** The address is told to apps that have users:read.email too. */
function parseProfile({ real_name, locale, profile, is_email_confirmed }: User = {}): SenderProfile {
  const language = locale?.split('-', 1)[0] ?? '';
  return {
    name: profile?.real_name || real_name || profile?.display_name || null,
    email: is_email_confirmed === false ? null : profile?.email || null,
    language: /^[a-z]{2}$/.test(language) ? language : null,
  };
}
