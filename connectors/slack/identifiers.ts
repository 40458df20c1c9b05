import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import type { SlackAccount } from './manifest.ts';
import type { SlackActions, SlackEnvelope, SlackMessage } from './payloads.ts';

const schema = z.object({
  /** The installation: the id of a team, or of an organisation that installed the app for several teams. */
  tenant: z.string(),
  team: z.string(),
  channel: z.string(),
  /** The `ts` of the thread's first message; answers go into this thread. Null if there is no message yet. */
  thread: z.string().nullable(),
  /** The recipient and their team, which Slack requires for streams in channels. */
  user: z.string().nullable(),
  userTeam: z.string().nullable(),
});

export type Address = z.infer<typeof schema>;

/** Returns whether a channel id belongs to a direct message with the bot: Slack's ids of those begin with `D`. */
export function isDirectMessage(channel: string): boolean {
  return channel.startsWith('D');
}

export function toConversationRef(
  address: Address,
  { settings }: Pick<SlackAccount, 'settings'>,
): ConversationRef {
  const { tenant, channel, thread } = address;
  const isSingleLane = thread === null || (isDirectMessage(channel) && settings.direct_messages === 'one');
  return { lane: isSingleLane ? `${tenant}/${channel}` : `${tenant}/${channel}/${thread}`, address };
}

export function parseAddress(conversation: ConversationRef): Address {
  const parsed = schema.safeParse(conversation.address);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored address is not a Slack conversation.', {
    advice: { retry: 'never' },
  });
}

interface MessageIdParts {
  readonly channel: string;
  /** Slack's message id: a timestamp that is unique within the channel. */
  readonly ts: string;
}

/** Returns the message id. It includes the channel because a `ts` is unique within its channel only. */
export function formatMessageId({ channel, ts }: MessageIdParts): string {
  return `${channel}/${ts}`;
}

export function parseMessageId(id: string): MessageIdParts | null {
  const [, channel, ts] = /^([^/]+)\/(\d+\.\d+)$/.exec(id) ?? [];
  return channel === undefined || ts === undefined ? null : { channel, ts };
}

/** The action ids of this connector's buttons in `block_actions` payloads. */
export const FEEDBACK_ACTION = 'parley_feedback';
export const PERSON_ACTION = 'parley_person';

/** Parses a Slack `ts`: seconds since 1970 with a fraction that makes it unique. */
export function parseTimestamp(ts: string): Date {
  return new Date(Math.trunc(Number(ts) * 1_000));
}

/** Returns the installation of an event: the organisation if the app is installed organisation-wide, otherwise the team. */
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
 * Returns whether an event may belong to an account of another tenant, so that the core has to look the tenant up. True
 * for every event of an app with a `client_id`, because other teams can install that app.
 */
export function mayBelongToOthers(tenant: string, { credentials, profile }: SlackAccount): boolean {
  const own = profile.is_enterprise_install === true ? profile.enterprise_id : profile.team_id;
  return credentials.client_id !== undefined || tenant !== own;
}

type Author = Pick<SlackMessage, 'user' | 'bot_id' | 'app_id'>;

/** The bot's identity in a team: from the profile that `probe` stored, otherwise from the event's `authorizations`. */
interface Bot {
  /** The bot users that people mention. */
  readonly userIds: ReadonlySet<string>;
  wrote(author: Author): boolean;
}

export function botIdentity(
  { authorizations, api_app_id }: Pick<SlackEnvelope, 'authorizations' | 'api_app_id'>,
  { profile }: SlackAccount,
): Bot {
  const authorized = (authorizations ?? []).flatMap(({ is_bot, user_id }) =>
    is_bot === true && user_id ? [user_id] : [],
  );
  const own = typeof profile.user_id === 'string' ? [profile.user_id] : authorized;
  const userIds = new Set(own);
  return {
    userIds,
    wrote: ({ user, bot_id, app_id }) =>
      (user !== null && userIds.has(user)) ||
      (bot_id !== null && bot_id === profile.bot_id) ||
      (app_id !== null && app_id === api_app_id),
  };
}

/** The tenant of an event that names none. */
const UNKNOWN_TENANT = 'team';

type AuthoredMessage = Pick<SlackMessage, 'user' | 'user_team' | 'team' | 'ts' | 'thread_ts'>;

interface EventLocation {
  readonly channel: string;
  readonly message: AuthoredMessage | null;
}

/** Returns the conversation of an event. A message outside every thread begins a thread. */
export function replyAddress(
  envelope: SlackEnvelope,
  { channel, message }: EventLocation,
  account: SlackAccount,
) {
  const tenant = eventTenant(envelope) ?? UNKNOWN_TENANT;
  const address: Address = {
    tenant,
    team: envelope.team_id ?? tenant,
    channel,
    thread: message?.thread_ts ?? message?.ts ?? null,
    user: message?.user ?? null,
    userTeam: message?.user_team ?? message?.team ?? envelope.team_id,
  };
  return { tenant, conversation: toConversationRef(address, account) };
}

const EMPTY_SENDER: Sender = {
  id: '',
  name: null,
  email: null,
  phone: null,
  language: null,
  kind: 'machine',
};

/** The authors of Slack's own messages, such as "… archived the channel". */
const SYSTEM_USERS = new Set(['USLACK', 'USLACKBOT']);

export function parseSender(message: SlackMessage, bot: ReturnType<typeof botIdentity>): Sender {
  const { user, bot_id, user_profile } = message;
  const id = user ?? bot_id ?? '';
  if (bot.wrote(message)) return { ...EMPTY_SENDER, id, kind: 'self' };
  if (user === null || bot_id !== null || message.subtype === 'bot_message' || SYSTEM_USERS.has(user))
    return { ...EMPTY_SENDER, id };
  return personSender(user, user_profile?.real_name || user_profile?.display_name || null);
}

export function personSender(id: string, name: string | null): Sender {
  return { ...EMPTY_SENDER, id, name, kind: 'person' };
}
