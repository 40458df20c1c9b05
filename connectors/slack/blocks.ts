import type { types } from '@slack/bolt';
import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import { parseWebLink } from '../shared/http.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import type { Refusal } from './api-client.ts';
import { FEEDBACK_ACTION, PERSON_ACTION } from './identifiers.ts';

const schema = z.object({
  markdown: z.string(),
  /** The same without markup: for notifications, and for when Slack refuses the rest. */
  text: z.string(),
  sources: z.array(z.object({ title: z.string(), url: z.string().nullable() })),
  offers: z.array(z.enum(['feedback', 'human'])),
  /** ISO 639-1, of the words of what is offered; null where it is not told. */
  language: z.string().nullable(),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Slack.', { advice: { retry: 'never' } });
}

interface Content {
  readonly text: string;
  readonly blocks?: types.KnownBlock[];
}

/** More than a notification shows. */
const NOTICE_CHARS = 2_500;
/** Slack cuts off what is longer. */
const TEXT_CHARS = 39_000;

/** The ways to say a part, best first: each for when Slack refuses the one before it. */
export function messageContents(part: Part): readonly Content[] {
  const notice = truncate(part.text, NOTICE_CHARS);
  const looks = part.offers.includes('feedback') ? (['rich', 'basic'] as const) : (['basic'] as const);
  return [
    ...looks.map((look) => ({ text: notice, blocks: buildBlocks(part, look) })),
    { text: truncate(part.text, TEXT_CHARS) },
  ];
}

/** The text itself is not at fault. */
export function isBlocksRefused({ code }: Refusal): boolean {
  return [
    'invalid_blocks',
    'invalid_blocks_format',
    'invalid_arguments',
    'msg_blocks_too_long',
    'msg_too_long',
  ].includes(code);
}

function truncate(text: string, most: number): string {
  const whole = escapeControlCharacters(text);
  return whole.length <= most ? whole : `${whole.slice(0, most).replace(/&\w*$|[\uD800-\uDBFF]$/, '')}…`;
}

/** What Slack knows of blocks differs by where it is used: `basic` has only what it always knew, beside Markdown. */
export type BlockOptions = 'rich' | 'basic';

function buildBlocks(part: Part, look: BlockOptions): types.KnownBlock[] {
  return [{ type: 'markdown', text: part.markdown }, ...buildFooterBlocks(part, look)];
}

/** What stands below an answer: where it is from, and what can be pressed. */
export function buildFooterBlocks(
  { sources, offers, language }: Part,
  look: BlockOptions,
): types.KnownBlock[] {
  const wantsFeedback = offers.includes('feedback');
  const buttons = [
    ...(wantsFeedback && look === 'basic' ? [thumb('up', '👍'), thumb('down', '👎')] : []),
    ...(offers.includes('human') ? [button(PERSON_ACTION, offerTexts(language).human, 'human')] : []),
  ];
  return [
    ...(sources.length > 0 ? [sourcesBlock(sources)] : []),
    ...(wantsFeedback && look === 'rich' ? [feedbackBlock(language)] : []),
    ...(buttons.length > 0 ? [{ type: 'actions' as const, elements: buttons }] : []),
  ];
}

function sourcesBlock(sources: Part['sources']): types.ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: sources.map(sourceLine).join('\n') }] };
}

function feedbackBlock(language: Part['language']): types.ContextActionsBlock {
  const { good, bad } = offerTexts(language);
  const choice = (value: 'up' | 'down', text: string, label: string) => ({
    text: { type: 'plain_text' as const, text, emoji: true },
    value,
    accessibility_label: label,
  });
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: FEEDBACK_ACTION,
        positive_button: choice('up', '👍', good),
        negative_button: choice('down', '👎', bad),
      },
    ],
  };
}

function thumb(value: 'up' | 'down', sign: string): types.Button {
  return button(`${FEEDBACK_ACTION}:${value}`, sign, value);
}

function button(action_id: string, text: string, value: string): types.Button {
  return { type: 'button', action_id, text: { type: 'plain_text', text, emoji: true }, value };
}

const MOST = 3;
const TITLE_CHARS = 150;
/** So that three of them fit one block. */
const LINE_CHARS = 950;

/** Where an answer is from, as it is stored with it. */
export function visibleSources(sources: Reply['sources']): Part['sources'] {
  return sources.slice(0, MOST).map((source) => {
    const url = source.url === null ? null : (parseWebLink(source.url)?.replaceAll('|', '%7C') ?? null);
    const title = source.title.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '¦');
    const shown = [...(title || url || '…')].slice(0, TITLE_CHARS).join('');
    return {
      title: shown,
      url: url !== null && sourceLine({ title: shown, url }).length > LINE_CHARS ? null : url,
    };
  });
}

/** In Slack's own markup; the sign says in every language what it is. */
export function sourceLine({ title, url }: Part['sources'][number]): string {
  return url === null
    ? `📄 ${escapeControlCharacters(title)}`
    : `🔗 <${escapeControlCharacters(url)}|${escapeControlCharacters(title)}>`;
}

/** Joins two letters without being seen: what Slack would read as one sign stays two. */
const JOINER = '\u2060';

/**
 * Markdown that calls nobody and breaks no link, whoever wrote it: `<!channel>` and `<@…>` are left as words, and a `|`
 * in an address does not end it. What a beginning of a text becomes is the beginning of what the text becomes.
 */
export function escapeMentions(markdown: string): string {
  return markdown
    .replaceAll(/<(?=[@#!])/g, `<${JOINER}`)
    .split('\n')
    .map((line) =>
      /^\s*\|/.test(line)
        ? line
        : line.replaceAll(/https?:\/\/[^\s<>]*/g, (link) => link.replaceAll('|', '%7C')),
    )
    .join('\n');
}

/** The three signs that mean something in Slack's own markup. */
function escapeControlCharacters(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
