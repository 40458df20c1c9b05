import { z } from 'zod';
import { type botIdentity, isDirectMessage } from './identifiers.ts';
import type { SlackEvent, SlackMessage } from './payloads.ts';

type Bot = ReturnType<typeof botIdentity>;

interface ParsedText {
  /** Without what only names us. */
  readonly text: string;
  readonly addressed: boolean | 'joined';
}

/** What a message says, and whether to us. In a thread that we take part in it is, unless it names somebody else. */
export function parseMessageText(
  event: Pick<SlackEvent, 'type' | 'channel' | 'text' | 'thread_ts'>,
  bot: Bot,
): ParsedText {
  const written = event.text ?? '';
  const named = countMentions(written);
  const isForUs =
    event.type === 'app_mention' ||
    isDirectMessage(event.channel ?? '') ||
    named.some((user) => bot.userIds.has(user));
  const isForOthers = named.length > 0 && /^\s*<@/.test(written);
  const inThread = event.thread_ts !== null && !isForOthers ? 'joined' : false;
  return { text: mrkdwnToText(withoutBotMention(written, bot)).trim(), addressed: isForUs || inThread };
}

export function countMentions(text: string): readonly string[] {
  return [...text.matchAll(/<@([\w-]+)(?:\|[^<>]*)?>/g)].map(([, user = '']) => user);
}

/** "Is <@us> open?" is left as "Is open?", and "Thanks, <@us>, bye" as "Thanks, bye". */
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

/** What somebody wrote in Slack, without the marks that Slack puts around names and addresses. */
export function mrkdwnToText(text: string): string {
  return unescaped(text.replaceAll(control, (_, inner: string) => shown(inner)));
}

function shown(inner: string): string {
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
      return linked(target, label);
  }
}

function linked(address: string, label: string): string {
  const bare = address.replace(/^mailto:/, '');
  return label === '' || label === bare || address.endsWith(`//${label}`) ? bare : `${label} (${bare})`;
}

/** Slack escapes these three and nothing else. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** What a message says beside its own text: messages that are passed on with it, and tables. Not the previews of links. */
export function attachmentTexts(message: SlackMessage): readonly string[] {
  const passedOn = (message.attachments ?? []).flatMap(({ is_share, text }) =>
    is_share === true && text !== null ? [mrkdwnToText(text).trim()] : [],
  );
  return [...passedOn, ...pastedTableTexts(message)].filter((words) => words !== '');
}

/** A cell is plain, or rich: then its words lie somewhere below it. */
const table = z.object({ type: z.literal('table'), rows: z.array(z.array(z.unknown())) });
const plain = z.object({ text: z.union([z.string(), z.number()]) });
const numeric = z.object({ value: z.number() });
const nested = z.object({ elements: z.array(z.unknown()) });

/** Tables that were pasted beside the words of a message, a line a row: Slack does not put them into its text. */
function pastedTableTexts({ attachments }: SlackMessage): readonly string[] {
  const blocks = (attachments ?? []).flatMap((attachment) => attachment.blocks ?? []);
  return blocks.flatMap((block) => {
    const { data } = table.safeParse(block);
    return data === undefined
      ? []
      : [data.rows.map((row) => row.map((cell) => cellText(cell, 0)).join(' | ')).join('\n')];
  });
}

const DEEPEST = 8;

function cellText(value: unknown, depth: number): string {
  const own = plain.safeParse(value).data?.text ?? numeric.safeParse(value).data?.value;
  if (own !== undefined) return String(own);
  const inside = nested.safeParse(value).data?.elements ?? [];
  return depth === DEEPEST ? '' : inside.map((element) => cellText(element, depth + 1)).join('');
}
