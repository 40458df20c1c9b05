import type { Json } from '../../core/contract/account.ts';
import type { Command, InboundEvent } from '../../core/contract/inbound.ts';
import { parseButtonPress } from './buttons.ts';
import { parseAttachments } from './files.ts';
import { botIdentity, formatMessageId, parseSender, replyAddress, toConversationRef } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { nativeTypeName, type TelegramMembership, type TelegramMessage, updateSchema } from './payloads.ts';

export function normalise(native: Json, account: TelegramAccount): readonly InboundEvent[] {
  const { data: update } = updateSchema.safeParse(native);
  const event =
    (update?.message && (parseMigration(update.message) ?? parseMessage(update.message, account))) ??
    (update?.edited_message && parseEdit(update.edited_message, account)) ??
    (update?.my_chat_member && parseMembership(update.my_chat_member)) ??
    (update?.callback_query && parseButtonPress(update.callback_query, account));
  return [event ?? { type: 'unsupported', nativeType: nativeTypeName(native) }];
}

/** Parses a message; null for service messages such as joins, pins and new titles. */
function parseMessage(message: TelegramMessage, account: TelegramAccount): InboundEvent | null {
  const base = parseCommonFields(message, account);
  const attachments = parseAttachments(message);
  const hasContent = message.text !== null || message.caption !== null || attachments.length > 0;
  if (base === null || !hasContent) return null;
  const parsed = parseText(message, botIdentity(account));
  // A mention without text counts as a greeting.
  const greeting = parsed.text === '' && attachments.length === 0 ? 'start' : null;
  return { type: 'message', ...base, ...parsed, attachments, command: parsed.command ?? greeting };
}

function parseEdit(message: TelegramMessage, account: TelegramAccount): InboundEvent | null {
  const base = parseCommonFields(message, account);
  if (base === null || (message.text === null && message.caption === null)) return null;
  const sentAt = message.edit_date === null ? base.sentAt : new Date(message.edit_date * 1_000);
  return { type: 'message-edited', ...base, sentAt, text: parseText(message, botIdentity(account)).text };
}

function parseCommonFields(message: TelegramMessage, account: TelegramAccount) {
  const address = replyAddress(message);
  if (address === null) return null;
  return {
    conversation: toConversationRef(address),
    sentAt: new Date((message.date ?? 0) * 1_000),
    sender: parseSender(message, botIdentity(account).id),
    messageId: formatMessageId({ chat: message.chat.id, message: message.message_id }),
  };
}

type Bot = ReturnType<typeof botIdentity>;
type Entity = NonNullable<TelegramMessage['entities']>[number];

interface ParsedText {
  /** The text without mentions of the bot. */
  readonly text: string;
  readonly command: Command | null;
  readonly addressed: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = { '/start': 'start', '/human': 'human', '/help': 'help' };

/** Parses the text of a message, or its caption, and whether it addresses the bot. */
function parseText(message: TelegramMessage, bot: Bot): ParsedText {
  const text = message.text ?? message.caption ?? '';
  const entities = (message.text === null ? message.caption_entities : message.entities) ?? [];
  const mentions = entities.filter((entity) => isMention(entity, text, bot));
  const parsed = parseCommand(text, entities, bot);
  const isForBot = mentions.length > 0 || parsed?.isForBot === true || isReplyTo(message, bot);
  const removed = [...mentions, ...(parsed?.removed ?? [])];
  return {
    text: withoutRanges(text, removed),
    command: parsed?.command ?? null,
    addressed: message.chat.type === 'private' || isForBot,
  };
}

function isMention(entity: Entity, text: string, bot: Bot): boolean {
  if (entity.type === 'text_mention') return entity.user?.id === bot.id;
  return entity.type === 'mention' && isBotName(entityText(text, entity).slice(1), bot);
}

function isBotName(name: string, { username }: Bot): boolean {
  return username !== null && name.toLowerCase() === username.toLowerCase();
}

function entityText(text: string, { offset, length }: Pick<Entity, 'offset' | 'length'>): string {
  return text.slice(offset, offset + length);
}

/** Parses a command at the start of a text. A known command is removed; of an unknown one, only the `@` suffix is. */
function parseCommand(text: string, entities: readonly Entity[], bot: Bot) {
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  if (entity === undefined) return null;
  const [name = '', recipient] = entityText(text, entity).split('@');
  const isForBot = recipient === undefined || isBotName(recipient, bot);
  const command = isForBot ? (COMMANDS[name.toLowerCase()] ?? null) : null;
  const suffix = { offset: name.length, length: entity.length - name.length };
  const none = { offset: 0, length: 0 };
  return { isForBot, command, removed: [command !== null ? entity : isForBot ? suffix : none] };
}

/** In a topic that the bot opened, every message formally replies to the opening, which is not a reply to the bot. */
function isReplyTo({ reply_to_message: replied }: TelegramMessage, bot: Bot): boolean {
  return replied?.from?.id === bot.id && replied.forum_topic_created === undefined;
}

function withoutRanges(text: string, ranges: readonly Pick<Entity, 'offset' | 'length'>[]): string {
  const remaining = ranges
    .toSorted((one, other) => other.offset - one.offset)
    .reduce(
      (rest, { offset, length }) => joinAround(rest.slice(0, offset), rest.slice(offset + length), length),
      text,
    );
  return remaining.trim();
}

/** "Is @bot open?" becomes "Is open?", and "Thanks, @bot, bye" becomes "Thanks, bye". */
function joinAround(before: string, after: string, removedLength: number): string {
  const isApart = removedLength > 0 && /(^|\s)$/.test(before);
  return before + (isApart ? after.replace(/^[,:;]?[^\S\n]*/, '') : after);
}

/** Parses an upgrade to a supergroup, which has a new id. Telegram sends a service message in both chats. */
function parseMigration({ chat, ...message }: TelegramMessage): InboundEvent | null {
  if (message.migrate_to_chat_id !== null) return migrationEvent(chat.id, message.migrate_to_chat_id);
  return message.migrate_from_chat_id === null ? null : migrationEvent(message.migrate_from_chat_id, chat.id);
}

function migrationEvent(from: number, to: number): InboundEvent {
  return {
    type: 'moved',
    from: toConversationRef({ chat: from, kind: 'group', topic: null }),
    to: toConversationRef({ chat: to, kind: 'supergroup', topic: null }),
  };
}

/** Parses a change of the bot's membership. If a person blocks the bot, its status in the private chat is "kicked". */
function parseMembership({ chat, new_chat_member: member }: TelegramMembership): InboundEvent | null {
  const address = replyAddress({ chat, message_thread_id: null, is_topic_message: null });
  if (address === null) return null;
  return { type: 'reachable', conversation: toConversationRef(address), reachable: isReachable(member) };
}

function isReachable(member: TelegramMembership['new_chat_member']): boolean {
  if (member.status === 'restricted') return member.is_member !== false && member.can_send_messages !== false;
  return !['left', 'kicked'].includes(member.status);
}
