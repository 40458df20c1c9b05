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

/** Null for what we do not know, or have no use for. */
export function parseEvent(native: Json, account: SlackAccount): ParsedEvent | null {
  const { data: actions } = actionsSchema.safeParse(native);
  if (actions !== undefined) return parseAction(actions, account);
  const { data: envelope } = envelopeSchema.safeParse(native);
  if (envelope === undefined || !Object.hasOwn(eventParsers, envelope.event.type)) return null;
  return eventParsers[envelope.event.type]?.(envelope, account) ?? null;
}

/** What a payload of Slack tells. */
interface ParsedEvent {
  /** The same when Slack tells it again, also where it does so in another kind of event. */
  readonly id: string;
  readonly tenant: string;
  readonly event: InboundEvent;
  /** Why nothing has to be done about it, so that it is not even stored; null where something has. */
  readonly passedOver: string | null;
}

/**
 * A message of somebody; null for what is none. Slack tells of one that names us twice, as a message and as a mention,
 * with ids of their own: ours is made of what is the same in both.
 */
function parseMessage(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event } = envelope;
  const { channel, ts } = event;
  if (channel === null || ts === null || !isUserMessage(event)) return null;
  const bot = botIdentity(envelope, account);
  const sender = parseSender(event, bot);
  const { tenant, conversation } = replyAddress(envelope, { channel, said: event }, account);
  const { text: words, addressed } = parseMessageText(event, bot);
  const text = [words, ...attachmentTexts(event)].filter((each) => each !== '').join('\n\n');
  const attachments = parseAttachments(event);
  const namesUsOnly = text === '' && attachments.length === 0 && (event.text ?? '').trim() !== '';
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
      // Who only names us says hello.
      command: namesUsOnly ? 'start' : null,
    },
    passedOver: ignoredEvent(sender.kind === 'person', addressed !== false),
  };
}

function ignoredEvent(isPerson: boolean, isForUs: boolean): string | null {
  if (!isPerson) return 'a bot wrote it';
  return isForUs ? null : 'people speak with one another';
}

/** The other ones tell of something else than words: who came, what was pinned, that a message was changed. */
const SAID = new Set([null, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);

/** Whether a message is what somebody says. */
export function isUserMessage({ subtype }: Pick<SlackMessage, 'subtype'>): boolean {
  return SAID.has(subtype);
}

interface Change {
  readonly before: SlackMessage;
  /** Null where it was deleted. */
  readonly after: SlackMessage | null;
}

/** A message that was edited or deleted; null where only its looks changed, such as the preview of a link. */
function parseChange(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event } = envelope;
  const { channel, event_ts } = event;
  const change = readChangedMessage(event);
  const ts = change?.before.ts ?? change?.after?.ts ?? null;
  if (channel === null || change === null || ts === null) return null;
  const { before, after } = change;
  const bot = botIdentity(envelope, account);
  const sender = parseSender(before, bot);
  const { tenant, conversation } = replyAddress(envelope, { channel, said: { ...before, ts } }, account);
  const at = event_ts ?? ts;
  const said = {
    conversation,
    sentAt: parseTimestamp(at),
    sender,
    messageId: formatMessageId({ channel, ts }),
  };
  const { text } = parseMessageText({ ...event, text: after?.text ?? null, thread_ts: null }, bot);
  const couldBeOurs =
    isDirectMessage(channel) ||
    before.thread_ts !== null ||
    [before, after].some((each) => countMentions(each?.text ?? '').some((user) => bot.userIds.has(user)));
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/${ts}/${at}`,
    tenant,
    event: after === null ? { type: 'message-deleted', ...said } : { type: 'message-edited', ...said, text },
    passedOver: sender.kind === 'person' && couldBeOurs ? null : 'it changes nothing that was said to us',
  };
}

/** Of a message that others replied to, Slack keeps the place when it is deleted: a "tombstone". */
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

/** A button of ours that was pressed; null for those of others. */
function parseAction(pressed: SlackActions, account: SlackAccount): ParsedEvent | null {
  const { user, container, message, channel: room, team } = pressed;
  const action = pressed.actions.find(({ action_id }) =>
    [FEEDBACK_ACTION, PERSON_ACTION].some((own) => isMentioned(action_id, own)),
  );
  const channel = container?.channel_id ?? room?.id ?? null;
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
  const at = action.action_ts ?? ts;
  const said = {
    conversation,
    sentAt: parseTimestamp(at),
    sender: personSender(user.id, user.name ?? user.username),
  };
  const event: InboundEvent = isMentioned(action.action_id, FEEDBACK_ACTION)
    ? {
        type: 'feedback',
        ...said,
        messageId: formatMessageId({ channel, ts }),
        value: action.value === 'up' || action.value === 'down' ? action.value : null,
        comment: null,
      }
    : {
        type: 'message',
        ...said,
        messageId: formatMessageId({ channel, ts: at }),
        text: '',
        attachments: [],
        addressed: true,
        command: 'human',
      };
  return {
    id: `${tenant}/${channel}/${ts}/${action.action_id}/${user.id}/${at}`,
    tenant,
    event,
    passedOver: null,
  };
}

/** Of several buttons in one block each has a name of its own. */
function isMentioned(actionId: string, own: string): boolean {
  return actionId === own || actionId.startsWith(`${own}:`);
}

const FEEDBACK_BY_EMOJI: Readonly<Record<string, 'up' | 'down'>> = {
  '+1': 'up',
  thumbsup: 'up',
  '-1': 'down',
  thumbsdown: 'down',
};

/** A thumb on a message of ours. Slack does not tell which thread that is in. */
function parseReaction(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { user, reaction, item, item_user, event_ts, type } = envelope.event;
  // A thumb may have a colour of skin.
  const opinion = FEEDBACK_BY_EMOJI[reaction?.split('::', 1)[0] ?? ''];
  if (user === null || opinion === undefined || item === null || item_user === null) return null;
  const { channel, ts } = item;
  if (channel === null || ts === null) return null;
  const { tenant, conversation } = replyAddress(
    envelope,
    { channel, said: { user, user_team: null, team: null, ts, thread_ts: null } },
    account,
  );
  const at = event_ts ?? ts;
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/${ts}/${reaction}/${user}/${at}`,
    tenant,
    event: {
      type: 'feedback',
      conversation,
      sentAt: parseTimestamp(at),
      sender: personSender(user, null),
      messageId: formatMessageId({ channel, ts }),
      value: type === 'reaction_added' ? opinion : null,
      comment: null,
    },
    passedOver: botIdentity(envelope, account).userIds.has(item_user) ? null : 'it is about somebody else',
  };
}

/** Somebody opened his direct messages with us, in either way that Slack has shown those to apps like ours. */
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
  const said = { user, user_team: null, team: null, ts: null, thread_ts };
  const { tenant, conversation } = replyAddress(envelope, { channel, said }, account);
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/opened/${event.event_ts ?? ''}`,
    tenant,
    event: { type: 'opened', conversation, sender: personSender(user, null) },
    passedOver: account.settings.prompts.length === 0 ? 'there is nothing to suggest' : null,
  };
}

/** We were thrown out of a team: the app was removed, or our token taken back. Tokens of people are not ours. */
function parseUninstall(envelope: SlackEnvelope, account: SlackAccount): ParsedEvent | null {
  const { event, event_id } = envelope;
  const isRemoved = event.type === 'app_uninstalled';
  const { userIds } = botIdentity(envelope, account);
  const revoked = event.tokens?.bot ?? [];
  // Without a name of ours, whichever bot it is, it is the app's.
  const isOurs = revoked.some((user) => userIds.size === 0 || userIds.has(user));
  if (!isRemoved && !isOurs) return null;
  const tenant = eventTenant(envelope) ?? '';
  const because = isRemoved
    ? 'The app was removed from the team in Slack.'
    : 'The bot token was revoked in Slack.';
  return {
    id: event_id ?? `${tenant}/${event.type}/${event.event_ts ?? ''}`,
    tenant,
    event: { type: 'account-lost', because },
    passedOver: null,
  };
}
