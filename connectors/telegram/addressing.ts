import type { Command } from '../../core/contract/inbound.ts';
import type { botOf } from './bot-of.ts';
import type { TelegramMessage } from './update-schema.ts';

type Bot = ReturnType<typeof botOf>;
type Entity = NonNullable<TelegramMessage['entities']>[number];

interface Said {
  /** Without what only names us. */
  readonly text: string;
  readonly command: Command | null;
  readonly addressed: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = { '/start': 'start', '/human': 'human', '/help': 'help' };

/** What a message says, and whether to us. Captions are the text of what has none. */
export function addressing(message: TelegramMessage, bot: Bot): Said {
  const text = message.text ?? message.caption ?? '';
  const entities = (message.text === null ? message.caption_entities : message.entities) ?? [];
  const mentions = entities.filter((entity) => isMention(entity, text, bot));
  const named = commandOf(text, entities, bot);
  const isOurs = mentions.length > 0 || named?.forUs === true || isReplyTo(message, bot);
  const cut = [...mentions, ...(named?.cut ?? [])];
  return {
    text: without(text, cut),
    command: named?.command ?? null,
    addressed: message.chat.type === 'private' || isOurs,
  };
}

function isMention(entity: Entity, text: string, bot: Bot): boolean {
  if (entity.type === 'text_mention') return entity.user?.id === bot.id;
  return entity.type === 'mention' && sameName(partOf(text, entity).slice(1), bot);
}

function sameName(name: string, { username }: Bot): boolean {
  return username !== null && name.toLowerCase() === username.toLowerCase();
}

function partOf(text: string, { offset, length }: Pick<Entity, 'offset' | 'length'>): string {
  return text.slice(offset, offset + length);
}

/** Commands of ours are cut off whole; of those that we do not know, only the name behind `@` is. */
function commandOf(text: string, entities: readonly Entity[], bot: Bot) {
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  if (entity === undefined) return null;
  const [name = '', recipient] = partOf(text, entity).split('@');
  const forUs = recipient === undefined || sameName(recipient, bot);
  const command = forUs ? (COMMANDS[name.toLowerCase()] ?? null) : null;
  const suffix = { offset: name.length, length: entity.length - name.length };
  const nothing = { offset: 0, length: 0 };
  return { forUs, command, cut: [command !== null ? entity : forUs ? suffix : nothing] };
}

/** In a topic that we opened, every message is in form a reply to its opening. */
function isReplyTo({ reply_to_message: replied }: TelegramMessage, bot: Bot): boolean {
  return replied?.from?.id === bot.id && replied.forum_topic_created === undefined;
}

function without(text: string, cuts: readonly Pick<Entity, 'offset' | 'length'>[]): string {
  const kept = cuts
    .toSorted((one, other) => other.offset - one.offset)
    .reduce(
      (rest, { offset, length }) => join(rest.slice(0, offset), rest.slice(offset + length), length),
      text,
    );
  return kept.trim();
}

/** "Is @bot open?" is left as "Is open?", and "Thanks, @bot, bye" as "Thanks, bye". */
function join(before: string, after: string, cut: number): string {
  const isApart = cut > 0 && /(^|\s)$/.test(before);
  return before + (isApart ? after.replace(/^[,:;]?[^\S\n]*/, '') : after);
}
