import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { parseAttachments } from './files.ts';
import {
  actionTenant,
  botIdentity,
  eventTenant,
  FEEDBACK_ACTION,
  formatMessageId,
  isDirectMessage,
  PERSON_ACTION,
  parseSender,
  parseTimestamp,
  personSender,
  replyAddress,
  toConversationRef,
} from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';
import { attachmentTexts, countMentions, parseMessageText } from './parse-text.ts';
import {
  actionsSchema,
  envelopeSchema,
  nativeTypeName,
  type SlackActions,
  type SlackEnvelope,
  type SlackMessage,
} from './payloads.ts';

export function normalise(native: Json, account: SlackAccount): readonly InboundEvent[] {
  return [parseEvent(native, account)?.event ?? { type: 'unsupported', nativeType: nativeTypeName(native) }];
}

type EventParser = (envelope: SlackEnvelope, account: SlackAccount) => ParsedEvent | null;

const eventParsers: Readonly<Record<string, EventParser>> = {
  app_mention: parseMessage,
  message: (envelope, account) => parseMessage(envelope, account) ?? parseChange(envelope, account),
  app_home_opened: parseDmOpened,
  assistant_thread_started: parseDmOpened,
  reaction_added: parseReaction,
  reaction_removed: parseReaction,
  app_uninstalled: parseUninstall,
  tokens_revoked: parseUninstall,
};

/** Parses an event or action payload. Returns null for unknown and unused types. */
export function parseEvent(native: Json, account: SlackAccount): ParsedEvent | null {
  const { data: actions } = actionsSchema.safeParse(native);
  if (actions !== undefined) return parseAction(actions, account);
  const { data: envelope } = envelopeSchema.safeParse(native);
  if (envelope === undefined || !Object.hasOwn(eventParsers, envelope.event.type)) return null;
  return eventParsers[envelope.event.type]?.(envelope, account) ?? null;
}

/** A Slack payload in the terms of the core. */
interface ParsedEvent {
  /** The same for a retry, and for the second event type that Slack sends about one message. */
  readonly id: string;
  readonly tenant: string;
  readonly event: InboundEvent;
  /** Why the event needs no work and is not stored. Null if it needs work. */
  readonly ignoreReason: string | null;
}

/**
 * Parses a message that a person or bot wrote; null for other events. Slack sends a mention of the bot twice, as `message`
 * and as `app_mention`, with different event ids, so the id here consists of fields that both share.
 */
function parseMessage(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event } = envelope;
  const { channel, ts } = event;
  if (channel === null || ts === null || !isUserMessage(event)) return null;
  const bot = botIdentity(envelope, account);
  const sender = parseSender(event, bot);
  const { tenant, conversation } = replyAddress(envelope, { channel, message: event }, account);
  const { text: ownText, addressed } = parseMessageText(event, bot);
  const text = [ownText, ...attachmentTexts(event)].filter((each) => each !== '').join('\n\n');
  const attachments = parseAttachments(event);
  const isMentionOnly = text === '' && attachments.length === 0 && (event.text ?? '').trim() !== '';
  return {
    id: `${tenant}/${channel}/${ts}`,
    tenant,
    event: {
      type: 'message',
      conversation,
      sentAt: parseTimestamp(ts),
      sender,
      messageId: formatMessageId({ channel, ts }),
      text,
      attachments,
      addressed,
      // A mention without any text counts as a greeting.
      command: isMentionOnly ? 'start' : null,
    },
    ignoreReason: ignoreReason(sender.kind === 'person', addressed !== false),
  };
}

function ignoreReason(isPerson: boolean, isAddressed: boolean): string | null {
  if (!isPerson) return 'the author is a bot';
  return isAddressed ? null : 'the message does not address the bot';
}

/** Other subtypes report joins, pins, edits and the like. */
const USER_MESSAGE_SUBTYPES = new Set([null, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);

/** Returns whether a message has an author's text, rather than reporting a change in the channel. */
export function isUserMessage({ subtype }: Pick<SlackMessage, 'subtype'>): boolean {
  return USER_MESSAGE_SUBTYPES.has(subtype);
}

interface Change {
  readonly before: SlackMessage;
  /** Null if the message was deleted. */
  readonly after: SlackMessage | null;
}

/** Parses an edit or deletion. Null if the text is unchanged, for example if Slack added a link preview. */
function parseChange(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event } = envelope;
  const { channel, event_ts } = event;
  const change = readChangedMessage(event);
  const ts = change?.before.ts ?? change?.after?.ts ?? null;
  if (channel === null || change === null || ts === null) return null;
  const { before, after } = change;
  const bot = botIdentity(envelope, account);
  const sender = parseSender(before, bot);
  const { tenant, conversation } = replyAddress(envelope, { channel, message: { ...before, ts } }, account);
  const changedTs = event_ts ?? ts;
  const base = {
    conversation,
    sentAt: parseTimestamp(changedTs),
    sender,
    messageId: formatMessageId({ channel, ts }),
  };
  const { text } = parseMessageText({ ...event, text: after?.text ?? null, thread_ts: null }, bot);
  const mayConcernBot =
    isDirectMessage(channel) ||
    before.thread_ts !== null ||
    [before, after].some((each) => countMentions(each?.text ?? '').some((user) => bot.userIds.has(user)));
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/${ts}/${changedTs}`,
    tenant,
    event: after === null ? { type: 'message-deleted', ...base } : { type: 'message-edited', ...base, text },
    ignoreReason:
      sender.kind === 'person' && mayConcernBot ? null : 'the changed message does not address the bot',
  };
}

/** When a message with replies is deleted, Slack sends a change whose new message is a "tombstone". */
function readChangedMessage({
  subtype,
  message: after,
  previous_message,
}: SlackEnvelope['event']): Change | null {
  const before = previous_message;
  if (subtype === 'message_deleted') return before && { before, after: null };
  if (subtype !== 'message_changed' || after === null || before === null) return null;
  if (after.subtype === 'tombstone') return { before, after: null };
  return after.text === null || after.text === before.text ? null : { before, after };
}

/** Parses a press of one of this connector's buttons; null for other buttons. */
function parseAction(pressed: SlackActions, account: SlackAccount): ParsedEvent | null {
  const { user, container, message, channel: eventChannel, team } = pressed;
  const action = pressed.actions.find(({ action_id }) =>
    [FEEDBACK_ACTION, PERSON_ACTION].some((own) => isAction(action_id, own)),
  );
  const channel = container?.channel_id ?? eventChannel?.id ?? null;
  const ts = container?.message_ts ?? message?.ts ?? null;
  if (action === undefined || channel === null || ts === null) return null;
  const tenant = actionTenant(pressed) ?? account.settings.team_id ?? 'team';
  const conversation = toConversationRef(
    {
      tenant,
      team: team?.id ?? tenant,
      channel,
      thread: container?.thread_ts ?? message?.thread_ts ?? ts,
      user: user.id,
      userTeam: user.team_id ?? team?.id ?? null,
    },
    account,
  );
  const pressedTs = action.action_ts ?? ts;
  const base = {
    conversation,
    sentAt: parseTimestamp(pressedTs),
    sender: personSender(user.id, user.name ?? user.username),
  };
  const event: InboundEvent = isAction(action.action_id, FEEDBACK_ACTION)
    ? {
        type: 'feedback',
        ...base,
        messageId: formatMessageId({ channel, ts }),
        value: action.value === 'up' || action.value === 'down' ? action.value : null,
        comment: null,
      }
    : {
        type: 'message',
        ...base,
        messageId: formatMessageId({ channel, ts: pressedTs }),
        text: '',
        attachments: [],
        addressed: true,
        command: 'human',
      };
  return {
    id: `${tenant}/${channel}/${ts}/${action.action_id}/${user.id}/${pressedTs}`,
    tenant,
    event,
    ignoreReason: null,
  };
}

/** Action ids must be unique within a block, so several buttons of one kind have a suffix. */
function isAction(actionId: string, own: string): boolean {
  return actionId === own || actionId.startsWith(`${own}:`);
}

const FEEDBACK_BY_EMOJI: Readonly<Record<string, 'up' | 'down'>> = {
  '+1': 'up',
  thumbsup: 'up',
  '-1': 'down',
  thumbsdown: 'down',
};

/** Parses a thumb reaction on a message of the bot. Slack does not name the thread of the message. */
function parseReaction(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { user, reaction, item, item_user, event_ts, type } = envelope.event;
  // The emoji name may have a skin tone suffix: `+1::skin-tone-2`.
  const feedback = FEEDBACK_BY_EMOJI[reaction?.split('::', 1)[0] ?? ''];
  if (user === null || feedback === undefined || item === null || item_user === null) return null;
  const { channel, ts } = item;
  if (channel === null || ts === null) return null;
  const { tenant, conversation } = replyAddress(
    envelope,
    { channel, message: { user, user_team: null, team: null, ts, thread_ts: null } },
    account,
  );
  const reactedTs = event_ts ?? ts;
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/${ts}/${reaction}/${user}/${reactedTs}`,
    tenant,
    event: {
      type: 'feedback',
      conversation,
      sentAt: parseTimestamp(reactedTs),
      sender: personSender(user, null),
      messageId: formatMessageId({ channel, ts }),
      value: type === 'reaction_added' ? feedback : null,
      comment: null,
    },
    ignoreReason: botIdentity(envelope, account).userIds.has(item_user)
      ? null
      : 'the reaction is on a message of another author',
  };
}

/** Parses the opening of a direct message, in the older (`assistant_thread_started`) and newer (`app_home_opened`) kind of app. */
function parseDmOpened(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event } = envelope;
  const opened = event.assistant_thread ?? {
    channel_id: event.channel,
    thread_ts: null,
    user_id: event.user,
  };
  const { channel_id: channel, user_id: user, thread_ts } = opened;
  if (channel === null || user === null) return null;
  if (event.type === 'app_home_opened' && event.tab !== 'messages') return null;
  const message = { user, user_team: null, team: null, ts: null, thread_ts };
  const { tenant, conversation } = replyAddress(envelope, { channel, message }, account);
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/opened/${event.event_ts ?? ''}`,
    tenant,
    event: { type: 'opened', conversation, sender: personSender(user, null) },
    ignoreReason: account.settings.prompts.length === 0 ? 'no prompts are configured' : null,
  };
}

/** Parses the loss of an installation: the app was removed or its bot token revoked. Revoked user tokens do not matter. */
function parseUninstall(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event, event_id } = envelope;
  const isRemoved = event.type === 'app_uninstalled';
  const { userIds } = botIdentity(envelope, account);
  const revoked = event.tokens?.bot ?? [];
  // If the bot's user id is unknown, any revoked bot token is taken for this app's.
  const isBotRevoked = revoked.some((user) => userIds.size === 0 || userIds.has(user));
  if (!isRemoved && !isBotRevoked) return null;
  const tenant = eventTenant(envelope) ?? '';
  const because = isRemoved
    ? 'The app was removed from the team in Slack.'
    : 'The bot token was revoked in Slack.';
  return {
    id: event_id ?? `${tenant}/${event.type}/${event.event_ts ?? ''}`,
    tenant,
    event: { type: 'account-lost', because },
    ignoreReason: null,
  };
}
