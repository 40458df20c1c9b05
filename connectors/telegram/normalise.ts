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

/** Null for what is no message of somebody: who came, what was pinned, a new title. */
function parseMessage(message: TelegramMessage, account: TelegramAccount): InboundEvent | null {
  const said = parseCommonFields(message, account);
  const attachments = parseAttachments(message);
  const says = message.text !== null || message.caption !== null || attachments.length > 0;
  if (said === null || !says) return null;
  const spoken = parseText(message, botIdentity(account));
  // Who only names us says hello.
  const greeting = spoken.text === '' && attachments.length === 0 ? 'start' : null;
  return { type: 'message', ...said, ...spoken, attachments, command: spoken.command ?? greeting };
}

function parseEdit(message: TelegramMessage, account: TelegramAccount): InboundEvent | null {
  const said = parseCommonFields(message, account);
  if (said === null || (message.text === null && message.caption === null)) return null;
  const sentAt = message.edit_date === null ? said.sentAt : new Date(message.edit_date * 1_000);
  return { type: 'message-edited', ...said, sentAt, text: parseText(message, botIdentity(account)).text };
}

function parseCommonFields(message: TelegramMessage, account: TelegramAccount) {
  const place = replyAddress(message);
  if (place === null) return null;
  return {
    conversation: toConversationRef(place),
    sentAt: new Date((message.date ?? 0) * 1_000),
    sender: parseSender(message, botIdentity(account).id),
    messageId: formatMessageId({ chat: message.chat.id, message: message.message_id }),
  };
}

type Bot = ReturnType<typeof botIdentity>;
type Entity = NonNullable<TelegramMessage['entities']>[number];

interface ParsedText {
  /** Without what only names us. */
  readonly text: string;
  readonly command: Command | null;
  readonly addressed: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = { '/start': 'start', '/human': 'human', '/help': 'help' };

/** What a message says, and whether to us. Captions are the text of what has none. */
function parseText(message: TelegramMessage, bot: Bot): ParsedText {
  const text = message.text ?? message.caption ?? '';
  const entities = (message.text === null ? message.caption_entities : message.entities) ?? [];
  const mentions = entities.filter((entity) => isMention(entity, text, bot));
  const named = parseCommand(text, entities, bot);
  const isOurs = mentions.length > 0 || named?.forUs === true || isReplyTo(message, bot);
  const cut = [...mentions, ...(named?.cut ?? [])];
  return {
    text: withoutRanges(text, cut),
    command: named?.command ?? null,
    addressed: message.chat.type === 'private' || isOurs,
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

/** Commands of ours are cut off whole; of those that we do not know, only the name behind `@` is. */
function parseCommand(text: string, entities: readonly Entity[], bot: Bot) {
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  if (entity === undefined) return null;
  const [name = '', recipient] = entityText(text, entity).split('@');
  const forUs = recipient === undefined || isBotName(recipient, bot);
  const command = forUs ? (COMMANDS[name.toLowerCase()] ?? null) : null;
  const suffix = { offset: name.length, length: entity.length - name.length };
  const nothing = { offset: 0, length: 0 };
  return { forUs, command, cut: [command !== null ? entity : forUs ? suffix : nothing] };
}

/** In a topic that we opened, every message is in form a reply to its opening. */
function isReplyTo({ reply_to_message: replied }: TelegramMessage, bot: Bot): boolean {
  return replied?.from?.id === bot.id && replied.forum_topic_created === undefined;
}

function withoutRanges(text: string, cuts: readonly Pick<Entity, 'offset' | 'length'>[]): string {
  const kept = cuts
    .toSorted((one, other) => other.offset - one.offset)
    .reduce(
      (rest, { offset, length }) => joinAround(rest.slice(0, offset), rest.slice(offset + length), length),
      text,
    );
  return kept.trim();
}

/** "Is @bot open?" is left as "Is open?", and "Thanks, @bot, bye" as "Thanks, bye". */
function joinAround(before: string, after: string, cut: number): string {
  const isApart = cut > 0 && /(^|\s)$/.test(before);
  return before + (isApart ? after.replace(/^[,:;]?[^\S\n]*/, '') : after);
}

/** A group that became a supergroup has another id from then on; both the old and the new one tell of it. */
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

/** Who blocks a bot in a private chat makes it "kicked" there. */
function parseMembership({ chat, new_chat_member: member }: TelegramMembership): InboundEvent | null {
  const place = replyAddress({ chat, message_thread_id: null, is_topic_message: null });
  if (place === null) return null;
  return { type: 'reachable', conversation: toConversationRef(place), reachable: isReachable(member) };
}

function isReachable(member: TelegramMembership['new_chat_member']): boolean {
  if (member.status === 'restricted') return member.is_member !== false && member.can_send_messages !== false;
  return !['left', 'kicked'].includes(member.status);
}
