import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import {
  type ConversationRecap,
  escapeMarkdown,
  type OutboundPart,
  type Reply,
  splitFiles,
} from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/blocks.ts';
import { renderPlainText } from '../shared/markdown/blocks.ts';
import { parseMarkdown, parseReply } from '../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { offerTexts, withPersonLine } from '../shared/offer-texts.ts';
import { renderHtml } from './html.ts';
import { HELPED_BUTTON_UUID, HUMAN_BUTTON_UUID, humanButtonText } from './identifiers.ts';
import { type IntercomAccount, manifest } from './manifest.ts';

/** The width of a code block that the messenger shows without breaking lines. */
const TABLE_COLUMNS = 40;
/** Intercom refuses an empty message. */
const EMPTY_MESSAGE = '…';

/** Renders a reply as comments, then its button, then the note and assignment of a handover. */
export function render(
  whole: Reply,
  _to: ConversationRef,
  account: IntercomAccount,
): readonly OutboundPart[] {
  // Intercom attaches pictures by their link, no other files.
  const answer = account.settings.buttons ? whole : withPersonLine(whole);
  const { shown, rest } = splitFiles(answer, ({ contentType }) => pictures.includes(contentType));
  const names = shown.map(({ name }) => escapeMarkdown(name)).join('  \n');
  const reply = rest.text === '' ? { ...rest, text: names } : rest;
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const files = shown.map(({ name, url }) => ({ name, url }));
  const comments = splitBlocks(blocks, fits).map((part, index): Part => {
    const comment = renderComment(part);
    return index === 0 && files.length > 0 ? { ...comment, files } : comment;
  });
  const parts: readonly Part[] = [
    ...(comments.length > 0 ? comments : [emptyComment]),
    ...buildButtons(reply, account),
    ...handoverParts(reply, account),
  ];
  return parts.map((content) => ({ content }));
}

const emptyComment: Part = { kind: 'comment', html: `<p>${EMPTY_MESSAGE}</p>`, text: EMPTY_MESSAGE };

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function renderComment(blocks: readonly Block[]): Extract<Part, { kind: 'comment' }> {
  return { kind: 'comment', html: renderHtml(blocks), text: renderPlainText(blocks) };
}

function fits(blocks: readonly Block[]): boolean {
  return renderPlainText(blocks).length <= manifest.limits.textChars;
}

function buildButtons({ offers, language }: Reply, account: IntercomAccount): readonly Part[] {
  if (!account.settings.buttons) return [];
  const options = [
    ...(offers.includes('helped') ? [{ text: offerTexts(language).helped, uuid: HELPED_BUTTON_UUID }] : []),
    ...(offers.includes('human')
      ? [{ text: humanButtonText(account, language), uuid: HUMAN_BUTTON_UUID }]
      : []),
  ];
  return options.length === 0 ? [] : [{ kind: 'buttons', options }];
}

const schema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    html: z.string(),
    /** The same content without markup: the fallback if Intercom refuses the markup. */
    text: z.string(),
    files: z.array(z.object({ name: z.string(), url: z.string() })).exactOptional(),
  }),
  /** Buttons are a part of their own, because Intercom accepts no text with them. */
  z.object({
    kind: z.literal('buttons'),
    options: z.array(z.object({ text: z.string(), uuid: z.string() })),
  }),
  /** A note for the team. */
  z.object({ kind: z.literal('note'), html: z.string() }),
  /** The new assignee; `0` is unassigned. */
  z.object({ kind: z.literal('assignment'), type: z.enum(['admin', 'team']), id: z.string() }),
]);

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored part is not an Intercom message.', { advice: { retry: 'never' } });
}

const UNASSIGNED = '0';

/** Returns the note and the assignment of a handover by the bot. Empty for replies of agents, who have the conversation. */
function handoverParts(
  { handover, author, recap }: Pick<Reply, 'handover' | 'author' | 'recap'>,
  { settings }: IntercomAccount,
): readonly Part[] {
  if (!handover || author !== 'bot') return [];
  const [type, id] = settings.handover_to.split(':');
  const assignment: Part = {
    kind: 'assignment',
    type: type === 'team' ? 'team' : 'admin',
    id: id ?? UNASSIGNED,
  };
  const note: Part = { kind: 'note', html: renderHtml(handoverNote(recap)) };
  return settings.handover_note ? [note, assignment] : [assignment];
}

const noteIntroduction =
  'Handed over by the bot, which no longer answers in this conversation. Assign it to the bot to let it answer again.';
/** Longer texts are truncated, because the conversation above the note contains them. */
const MAX_LINE_CHARS = 300;
const MAX_TURNS = 5;

/** Returns the handover note: the reason, a summary, and the latest questions and answers. */
function handoverNote(recap: ConversationRecap | undefined): readonly Block[] {
  const { summary = null, turns = [] } = recap ?? {};
  return [
    noteLine(null, noteIntroduction),
    ...(summary === null ? [] : [noteLine('Summary', summary)]),
    ...turns
      .slice(-MAX_TURNS)
      .flatMap(({ question, answer }) => [
        noteLine('Asked', question),
        ...(answer === null ? [] : [noteLine('Answered', markdownToText(answer), true)]),
      ]),
  ];
}

function noteLine(label: string | null, text: string, tight = false): Block {
  const title = label === null ? [] : [{ text: `${label}: `, style: { bold: true } } as const];
  const spans = [...title, { text: truncate(text), style: {} }];
  return { kind: 'text', heading: null, prefix: '', quoted: false, tight, spans };
}

function markdownToText(markdown: string): string {
  return renderPlainText(parseMarkdown(markdown, { tableColumns: 0 }));
}

function truncate(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : line;
}
