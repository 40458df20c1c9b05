import type { DiscordMessage } from './payloads.ts';

interface BotIdentity {
  readonly botId: string;
  readonly role: string | null;
}

/** What a message says: without what only names us, with the names of others in the place of their ids, and what it passes on. */
export function messageText(
  { content, mentions, message_snapshots: passedOn }: DiscordMessage,
  { botId, role }: BotIdentity,
): string {
  const names = new Map(
    (mentions ?? []).map(({ id, global_name, username }) => [id, global_name ?? username ?? id]),
  );
  const ours = role === null ? `<@!?${botId}>` : `<(?:@!?${botId}|@&${role})>`;
  return [content, ...(passedOn ?? []).map(({ message }) => message.content)]
    .filter(Boolean)
    .join('\n')
    .replace(new RegExp(`(^|\\s)${ours}[,:;]?[^\\S\\n]*`, 'g'), '$1')
    .replace(new RegExp(`(?<!\\s)\\s*${ours}`, 'g'), '')
    .replaceAll(/<@!?(\d+)>/g, (mention, id: string) => (names.has(id) ? `@${names.get(id)}` : mention))
    .replaceAll(/<a?(:\w+:)\d+>/g, '$1')
    .trim();
}

/** Whether a message is said to us by its own words, or by what it replies to. */
export function mentionsBot(
  { content, mentions, mention_roles: roles, referenced_message: replied }: DiscordMessage,
  { botId, role }: BotIdentity,
): boolean {
  if (mentions?.some(({ id }) => id === botId) || content?.includes(`<@${botId}>`)) return true;
  if (role !== null && roles?.includes(role)) return true;
  return replied?.author?.id === botId;
}

/** Of threads and of posts in forums. */
const MAX_CHARACTERS = 100;
const NOTHING = '…';

const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What a thread is called that is made from a question: its first line, as far as Discord takes it. */
export function threadTitle(message: DiscordMessage, botId: string): string {
  const [line = ''] = messageText(message, { botId, role: null }).split('\n', 1);
  const words = line.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return NOTHING;
  return words.length <= MAX_CHARACTERS
    ? words
    : `${truncate(words, MAX_CHARACTERS - NOTHING.length)}${NOTHING}`;
}

/** Never within a letter, and after a word where there is one. */
function truncate(text: string, room: number): string {
  let kept = '';
  for (const { segment } of letters.segment(text)) {
    if (kept.length + segment.length > room) break;
    kept += segment;
  }
  return kept.replace(/(?<!\s)\s+\S*$/, '') || kept;
}
