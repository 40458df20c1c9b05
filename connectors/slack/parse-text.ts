import { z } from 'zod';
import { type botIdentity, isDirectMessage } from './identifiers.ts';
import type { SlackEvent, SlackMessage } from './payloads.ts';

type Bot = ReturnType<typeof botIdentity>;

interface ParsedText {
  /** The text without mentions of the bot. */
  readonly text: string;
  /** `joined` for a message that addresses the bot only if the bot takes part in its thread. */
  readonly addressed: boolean | 'joined';
}

/**
 * Parses the text of a message and whether it addresses the bot. In a thread that the bot takes part in, a message does
 * unless it begins with a mention of somebody else.
 */
export function parseMessageText(
  event: Pick<SlackEvent, 'type' | 'channel' | 'text' | 'thread_ts'>,
  bot: Bot,
): ParsedText {
  const rawText = event.text ?? '';
  const mentioned = countMentions(rawText);
  const isForBot =
    event.type === 'app_mention' ||
    isDirectMessage(event.channel ?? '') ||
    mentioned.some((user) => bot.userIds.has(user));
  const isForOthers = mentioned.length > 0 && /^\s*<@/.test(rawText);
  const inThread = event.thread_ts !== null && !isForOthers ? 'joined' : false;
  return { text: mrkdwnToText(withoutBotMention(rawText, bot)).trim(), addressed: isForBot || inThread };
}

export function countMentions(text: string): readonly string[] {
  return [...text.matchAll(/<@([\w-]+)(?:\|[^<>]*)?>/g)].map(([, user = '']) => user);
}

/** "Is <@bot> open?" becomes "Is open?", and "Thanks, <@bot>, bye" becomes "Thanks, bye". */
function withoutBotMention(text: string, bot: Bot): string {
  return text.replaceAll(
    /(^|\s)?<@([\w-]+)(?:\|[^<>]*)?>([,:;]?[^\S\n]*)/g,
    (whole: string, before: string | undefined, user: string, after: string) => {
      if (!bot.userIds.has(user)) return whole;
      return before === undefined ? after : before;
    },
  );
}

const control = /<([^<>]*)>/g;

/** Converts mrkdwn to plain text: resolves the markup of mentions, channels and links, and unescapes the text. */
export function mrkdwnToText(text: string): string {
  return unescaped(text.replaceAll(control, (_, inner: string) => controlText(inner)));
}

function controlText(inner: string): string {
  const [target = '', ...labels] = inner.split('|');
  const label = labels.join('|');
  switch (target[0]) {
    case '@':
      return label === '' ? target : `@${label.replace(/^@/, '')}`;
    case '#':
      return `#${label || target.slice(1)}`;
    case '!':
      return label || `@${target.slice(1).split('^')[0]}`;
    default:
      return linkText(target, label);
  }
}

function linkText(address: string, label: string): string {
  const bare = address.replace(/^mailto:/, '');
  return label === '' || label === bare || address.endsWith(`//${label}`) ? bare : `${label} (${bare})`;
}

/** Slack escapes only these three characters. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Returns the texts of forwarded messages and pasted tables. Link previews are not included. */
export function attachmentTexts(message: SlackMessage): readonly string[] {
  const forwarded = (message.attachments ?? []).flatMap(({ is_share, text }) =>
    is_share === true && text !== null ? [mrkdwnToText(text).trim()] : [],
  );
  return [...forwarded, ...pastedTableTexts(message)].filter((text) => text !== '');
}

/** A cell is plain text, or rich text in nested elements. */
const table = z.object({ type: z.literal('table'), rows: z.array(z.array(z.unknown())) });
const plain = z.object({ text: z.union([z.string(), z.number()]) });
const numeric = z.object({ value: z.number() });
const nested = z.object({ elements: z.array(z.unknown()) });

/** Returns pasted tables with a line for each row. Slack does not include them in the message's text. */
function pastedTableTexts({ attachments }: SlackMessage): readonly string[] {
  const blocks = (attachments ?? []).flatMap((attachment) => attachment.blocks ?? []);
  return blocks.flatMap((block) => {
    const { data } = table.safeParse(block);
    return data === undefined
      ? []
      : [data.rows.map((row) => row.map((cell) => cellText(cell, 0)).join(' | ')).join('\n')];
  });
}

const MAX_DEPTH = 8;

function cellText(value: unknown, depth: number): string {
  const own = plain.safeParse(value).data?.text ?? numeric.safeParse(value).data?.value;
  if (own !== undefined) return String(own);
  const inside = nested.safeParse(value).data?.elements ?? [];
  return depth === MAX_DEPTH ? '' : inside.map((element) => cellText(element, depth + 1)).join('');
}
