import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type {
  EarlierMessage,
  JoinedThread,
  PersonReference,
  SenderProfile,
} from '../../core/contract/facets.ts';
import { optionalField } from '../shared/http.ts';
import { callSlack, callSlackOrThrow, refusalError } from './api-client.ts';
import { botIdentity, isDirectMessage, parseAddress, parseMessageId, parseSender } from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';
import { isUserMessage } from './normalise.ts';
import { attachmentTexts, mrkdwnToText } from './parse-text.ts';
import { messageSchema, type SlackMessage } from './payloads.ts';

/** Returns the messages of a thread before the app was mentioned there: the first one and the latest ones. */
export async function fetchThreadContext(
  { to, messageId }: JoinedThread,
  account: SlackAccount,
  tools: Tools,
): Promise<readonly EarlierMessage[]> {
  const { channel, thread, team } = parseAddress(to);
  const before = parseMessageId(messageId)?.ts ?? thread;
  const limit = account.settings.earlier_messages;
  if (limit === 0 || isDirectMessage(channel) || thread === null || before === null || before === thread)
    return [];
  const messages = await readThread({ channel, team, thread, before }, account, tools);
  const bot = botIdentity({ authorizations: null, api_app_id: null }, account);
  const candidates = messages
    .filter((message) => isUserMessage(message) && !bot.wrote(message))
    .map((message) => ({ message, sender: parseSender(message, bot), text: messageText(message) }))
    .filter(({ text }) => text !== '');
  const selected = firstAndLatest(candidates, limit);
  const ids = selected.flatMap(({ sender }) => (sender.kind === 'person' ? [sender.id] : []));
  const names = await fetchNames({ ids, to }, account, tools);
  return selected.map(({ message, sender, text }) => ({
    author: names.get(sender.id) ?? sender.name ?? message.bot_profile?.name ?? sender.id,
    text,
  }));
}

function messageText(message: SlackMessage): string {
  const text = mrkdwnToText(message.text ?? '').trim();
  return [...(text === '' ? [] : [text]), ...attachmentTexts(message)].join('\n');
}

function firstAndLatest<Item>(items: readonly Item[], limit: number): readonly Item[] {
  if (items.length <= limit) return items;
  return [...items.slice(0, 1), ...items.slice(items.length - (limit - 1))];
}

interface ThreadQuery {
  readonly channel: string;
  readonly team: string;
  /** The `ts` of the thread's first message. */
  readonly thread: string;
  /** Only messages older than this `ts`. */
  readonly before: string;
}

const page = z.object({
  messages: z.array(messageSchema).catch([]).prefault([]),
  response_metadata: optionalField(z.object({ next_cursor: optionalField(z.string()) })),
});

/** Slack recommends 200. Apps that are sold outside its marketplace get 15 messages, once a minute. */
const PAGE_SIZE = 200;
/** Slack returns the oldest messages first, so only the beginning of a longer thread is read. */
const MAX_PAGES = 5;

/** Returns the messages of a thread, oldest first. If a later page fails, returns the pages before it. */
async function readThread(
  { channel, team, thread, before }: ThreadQuery,
  account: SlackAccount,
  tools: Tools,
): Promise<readonly SlackMessage[]> {
  const messages: SlackMessage[] = [];
  const query = { channel, ts: thread, latest: before, limit: PAGE_SIZE };
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const next: z.infer<typeof page> | null = await fetchPage(cursor);
    if (next === null) break;
    messages.push(...next.messages);
    cursor = next.response_metadata?.next_cursor || null;
    if (cursor === null) break;
  }
  return messages.filter(({ ts }) => ts !== null && Number(ts) < Number(before));

  async function fetchPage(from: string | null): Promise<z.infer<typeof page> | null> {
    const request = from === null ? query : { ...query, cursor: from };
    try {
      const response = await callSlackOrThrow(
        { method: 'conversations.replies', team, run: (client) => client.conversations.replies(request) },
        account,
        tools,
      );
      return page.parse(response);
    } catch (error) {
      // Part of a thread is more useful than none of it.
      if (from === null || !(error instanceof ConnectorError)) throw error;
      return null;
    }
  }
}

interface People {
  readonly ids: readonly string[];
  readonly to: ConversationRef;
}

/** Returns names by user id, without users whose name Slack does not return. */
async function fetchNames(
  { ids, to }: People,
  account: SlackAccount,
  tools: Tools,
): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await fetchName({ id, to }, account, tools)] as const),
  );
  return new Map(entries.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

async function fetchName(...args: Parameters<typeof fetchSenderProfile>): Promise<string | null> {
  try {
    return (await fetchSenderProfile(...args)).name;
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}

interface CachedProfile {
  readonly profile: SenderProfile;
  readonly expiresAt: number;
}

const EMPTY_PROFILE: SenderProfile = { name: null, email: null, language: null };
const UNKNOWN_USER = new Set(['user_not_found', 'user_not_visible']);
/** An hour: names change, and operators add scopes. */
const CACHE_MS = 3_600_000;
const MAX_CACHED = 20_000;

const profileCache = new LRUCache<string, CachedProfile>({ max: MAX_CACHED });

/**
 * Returns the profile of a team member, cached for an hour. After a missing scope or a rate limit no profile of the account
 * is requested for an hour or the time that Slack names.
 */
export async function fetchSenderProfile(
  { id, to }: PersonReference,
  account: SlackAccount,
  tools: Tools,
): Promise<SenderProfile> {
  const now = tools.now().getTime();
  const accountKey = account.id;
  const userKey = `${account.id}/${id}`;
  for (const key of [userKey, accountKey]) {
    const cached = profileCache.get(key);
    if (cached !== undefined && cached.expiresAt > now) return cached.profile;
  }
  const cache = (key: string, profile: SenderProfile, forMs = CACHE_MS) => {
    profileCache.set(key, { profile, expiresAt: now + forMs });
    return profile;
  };
  try {
    const outcome = await fetchUser({ id, team: parseAddress(to).team }, account, tools);
    if (outcome.ok) return cache(userKey, parseProfile(outcome.result.user));
    const { code } = outcome.refusal;
    if (UNKNOWN_USER.has(code)) return cache(userKey, EMPTY_PROFILE);
    if (code !== 'missing_scope') throw refusalError(outcome.refusal);
    tools.log.warn({ channel: account.id }, 'sender profile lookup refused, scope users:read missing');
    return cache(accountKey, EMPTY_PROFILE);
  } catch (error) {
    if (error instanceof ConnectorError && error.advice.retry === 'after')
      cache(accountKey, EMPTY_PROFILE, error.advice.afterMs);
    throw error;
  }
}

function fetchUser(
  { id, team }: { readonly id: string; readonly team: string },
  account: SlackAccount,
  tools: Tools,
) {
  const request = { user: id, include_locale: true };
  return callSlack(
    { method: 'users.info', team, run: (client) => client.users.info(request) },
    account,
    tools,
  );
}

interface User {
  readonly real_name?: string;
  readonly locale?: string;
  readonly is_email_confirmed?: boolean;
  readonly profile?: { readonly real_name?: string; readonly display_name?: string; readonly email?: string };
}

/** Slack includes the email address only for apps with the scope users:read.email. */
function parseProfile({ real_name, locale, profile, is_email_confirmed }: User = {}): SenderProfile {
  const language = locale?.split('-', 1)[0] ?? '';
  return {
    name: profile?.real_name || real_name || profile?.display_name || null,
    email: is_email_confirmed === false ? null : profile?.email || null,
    language: /^[a-z]{2}$/.test(language) ? language : null,
  };
}
