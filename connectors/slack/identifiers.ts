import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import type { SlackAccount } from './manifest.ts';
import type { SlackActions, SlackEnvelope, SlackMessage } from './payloads.ts';

const schema = z.object({
  /** Whose installation it is in: a team's, or that of an organisation of several. */
  tenant: z.string(),
  team: z.string(),
  channel: z.string(),
  /** Where answers go: the message that the thread begins with. Null where nothing was said yet. */
  thread: z.string().nullable(),
  /** Whom they are for, and his team: Slack wants to know where it shows them while they are written. */
  user: z.string().nullable(),
  userTeam: z.string().nullable(),
});

export type Address = z.infer<typeof schema>;

/** A direct message with us, as Slack names those. */
export function isDirectMessage(channel: string): boolean {
  return channel.startsWith('D');
}

export function toConversationRef(
  address: Address,
  { settings }: Pick<SlackAccount, 'settings'>,
): ConversationRef {
  const { tenant, channel, thread } = address;
  const isOne = thread === null || (isDirectMessage(channel) && settings.direct_messages === 'one');
  return { lane: isOne ? `${tenant}/${channel}` : `${tenant}/${channel}/${thread}`, address };
}

export function parseAddress(conversation: ConversationRef): Address {
  const read = schema.safeParse(conversation.address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a conversation in Slack.', {
    advice: { retry: 'never' },
  });
}

interface MessageIdParts {
  readonly channel: string;
  /** What Slack numbers messages with: a time that is unique to the channel. */
  readonly ts: string;
}

/** Only together with the channel is the time of a message unique to the account. */
export function formatMessageId({ channel, ts }: MessageIdParts): string {
  return `${channel}/${ts}`;
}

export function parseMessageId(id: string): MessageIdParts | null {
  const [, channel, ts] = /^([^/]+)\/(\d+\.\d+)$/.exec(id) ?? [];
  return channel === undefined || ts === undefined ? null : { channel, ts };
}

/** What our buttons are called in what Slack tells of them. */
export const FEEDBACK_ACTION = 'parley_feedback';
export const PERSON_ACTION = 'parley_person';

/** The moment in a number of Slack's: its whole part counts seconds. */
export function parseTimestamp(ts: string): Date {
  return new Date(Math.trunc(Number(ts) * 1_000));
}

/** Whose installation an event is of: the organisation's where that installed the app as a whole, else the team's. */
export function eventTenant({ authorizations, enterprise_id, team_id }: SlackEnvelope): string | null {
  const [installed] = authorizations ?? [];
  const organisation = installed?.enterprise_id ?? enterprise_id;
  return installed?.is_enterprise_install === true && organisation !== null ? organisation : team_id;
}

export function actionTenant({ is_enterprise_install, enterprise, team }: SlackActions): string | null {
  const organisation = enterprise?.id ?? null;
  return is_enterprise_install === true && organisation !== null ? organisation : (team?.id ?? organisation);
}

/**
 * Whether an event may be somebody else's than the account's own team's: only then is it asked whose. That of an app which
 * teams install always may.
 */
export function mayBelongToOthers(tenant: string, { credentials, profile }: SlackAccount): boolean {
  const own = profile.is_enterprise_install === true ? profile.enterprise_id : profile.team_id;
  return credentials.client_id !== undefined || tenant !== own;
}

type Author = Pick<SlackMessage, 'user' | 'bot_id' | 'app_id'>;

/** Who we are in a team: what was learned when the account was added, else what Slack says with each event. */
interface Bot {
  /** The user that people mention. */
  readonly userIds: ReadonlySet<string>;
  wrote(author: Author): boolean;
}

export function botIdentity(
  { authorizations, api_app_id }: Pick<SlackEnvelope, 'authorizations' | 'api_app_id'>,
  { profile }: SlackAccount,
): Bot {
  const told = (authorizations ?? []).flatMap(({ is_bot, user_id }) =>
    is_bot === true && user_id ? [user_id] : [],
  );
  const own = typeof profile.user_id === 'string' ? [profile.user_id] : told;
  const userIds = new Set(own);
  return {
    userIds,
    wrote: ({ user, bot_id, app_id }) =>
      (user !== null && userIds.has(user)) ||
      (bot_id !== null && bot_id === profile.bot_id) ||
      (app_id !== null && app_id === api_app_id),
  };
}

/** Where Slack does not say whose an event is. */
const UNKNOWN_AUTHOR = 'team';

type AuthoredMessage = Pick<SlackMessage, 'user' | 'user_team' | 'team' | 'ts' | 'thread_ts'>;

interface EventLocation {
  readonly channel: string;
  readonly said: AuthoredMessage | null;
}

/** The conversation that an event belongs to: a message that is in no thread begins one. */
export function replyAddress(
  envelope: SlackEnvelope,
  { channel, said }: EventLocation,
  account: SlackAccount,
) {
  const tenant = eventTenant(envelope) ?? UNKNOWN_AUTHOR;
  const address: Address = {
    tenant,
    team: envelope.team_id ?? tenant,
    channel,
    thread: said?.thread_ts ?? said?.ts ?? null,
    user: said?.user ?? null,
    userTeam: said?.user_team ?? said?.team ?? envelope.team_id,
  };
  return { tenant, conversation: toConversationRef(address, account) };
}

const NOBODY: Sender = { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };

/** Slack itself writes as these: "… archived the channel". */
const SYSTEM = new Set(['USLACK', 'USLACKBOT']);

export function parseSender(message: SlackMessage, bot: ReturnType<typeof botIdentity>): Sender {
  const { user, bot_id, user_profile } = message;
  const id = user ?? bot_id ?? '';
  if (bot.wrote(message)) return { ...NOBODY, id, kind: 'self' };
  if (user === null || bot_id !== null || message.subtype === 'bot_message' || SYSTEM.has(user))
    return { ...NOBODY, id };
  return personSender(user, user_profile?.real_name || user_profile?.display_name || null);
}

export function personSender(id: string, name: string | null): Sender {
  return { ...NOBODY, id, name, kind: 'person' };
}
