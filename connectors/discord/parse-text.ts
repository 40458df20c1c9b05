import type { DiscordMessage } from './payloads.ts';

interface BotIdentity {
  readonly botId: string;
  readonly role: string | null;
}

/** Returns the text of a message and of forwarded messages, without mentions of the bot and with names for other mentions. */
export function messageText(
  { content, mentions, message_snapshots: forwarded }: DiscordMessage,
  { botId, role }: BotIdentity,
): string {
  const names = new Map(
    (mentions ?? []).map(({ id, global_name, username }) => [id, global_name ?? username ?? id]),
  );
  const botMention = role === null ? `<@!?${botId}>` : `<(?:@!?${botId}|@&${role})>`;
  return [content, ...(forwarded ?? []).map(({ message }) => message.content)]
    .filter(Boolean)
    .join('\n')
    .replace(new RegExp(`(^|\\s)${botMention}[,:;]?[^\\S\\n]*`, 'g'), '$1')
    .replace(new RegExp(`(?<!\\s)\\s*${botMention}`, 'g'), '')
    .replaceAll(/<@!?(\d+)>/g, (mention, id: string) => (names.has(id) ? `@${names.get(id)}` : mention))
    .replaceAll(/<a?(:\w+:)\d+>/g, '$1')
    .trim();
}

/** Returns whether a message mentions the bot or its role, or replies to the bot. */
export function mentionsBot(
  { content, mentions, mention_roles: roles, referenced_message: replied }: DiscordMessage,
  { botId, role }: BotIdentity,
): boolean {
  if (mentions?.some(({ id }) => id === botId) || content?.includes(`<@${botId}>`)) return true;
  if (role !== null && roles?.includes(role)) return true;
  return replied?.author?.id === botId;
}

/** Discord's limit for the title of a thread. */
const MAX_TITLE_CHARS = 100;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Returns the title of a question's thread: the first line of the question, truncated to Discord's limit. */
export function threadTitle(message: DiscordMessage, botId: string): string {
  const [line = ''] = messageText(message, { botId, role: null }).split('\n', 1);
  const title = line.replaceAll(/\s+/g, ' ').trim();
  if (title === '') return ELLIPSIS;
  return title.length <= MAX_TITLE_CHARS
    ? title
    : `${truncate(title, MAX_TITLE_CHARS - ELLIPSIS.length)}${ELLIPSIS}`;
}

/** Truncates after a word if possible, and never within a grapheme. */
function truncate(text: string, room: number): string {
  let prefix = '';
  for (const { segment } of graphemes.segment(text)) {
    if (prefix.length + segment.length > room) break;
    prefix += segment;
  }
  return prefix.replace(/(?<!\s)\s+\S*$/, '') || prefix;
}
