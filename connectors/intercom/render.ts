import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { ConversationRecap, OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/blocks.ts';
import { parseMarkdown, parseReply } from '../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { renderPlainText } from '../shared/markdown/write-blocks.ts';
import { renderHtml } from './html.ts';
import { HUMAN_BUTTON_UUID, humanButtonText } from './identifiers.ts';
import { type IntercomAccount, manifest } from './manifest.ts';

/** What the messenger shows of code without breaking its lines. */
const TABLE_COLUMNS = 40;
/** Intercom sends nothing that is empty. */
const NOTHING = '…';

/** The words, then what may be pressed, then what the team is told of a conversation that goes to it. */
export function render(
  reply: Reply,
  _to: ConversationRef,
  account: IntercomAccount,
): readonly OutboundPart[] {
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const comments = splitBlocks(blocks, fits).map(renderComment);
  const parts: readonly Part[] = [
    ...(comments.length > 0 ? comments : [emptyComment]),
    ...buildButtons(reply, account),
    ...handoverParts(reply, account),
  ];
  return parts.map((content) => ({ content }));
}

const emptyComment: Part = { kind: 'comment', html: `<p>${NOTHING}</p>`, text: NOTHING };

function renderComment(blocks: readonly Block[]): Part {
  return { kind: 'comment', html: renderHtml(blocks), text: renderPlainText(blocks) };
}

function fits(blocks: readonly Block[]): boolean {
  return renderPlainText(blocks).length <= manifest.limits.textChars;
}

function buildButtons({ offers, language }: Reply, account: IntercomAccount): readonly Part[] {
  if (!offers.includes('human') || !account.settings.buttons) return [];
  return [
    { kind: 'buttons', options: [{ text: humanButtonText(account, language), uuid: HUMAN_BUTTON_UUID }] },
  ];
}

const schema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    html: z.string(),
    /** The same without markup, for when Intercom refuses ours. */
    text: z.string(),
  }),
  /** Buttons, which stand alone: Intercom takes no words with them. */
  z.object({
    kind: z.literal('buttons'),
    options: z.array(z.object({ text: z.string(), uuid: z.string() })),
  }),
  /** For the team. */
  z.object({ kind: z.literal('note'), html: z.string() }),
  /** To whom the conversation goes; `0` is nobody. */
  z.object({ kind: z.literal('assignment'), type: z.enum(['admin', 'team']), id: z.string() }),
]);

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Intercom.', { advice: { retry: 'never' } });
}

const UNASSIGNED = '0';

/** What is done in Intercom when the bot hands a conversation over; nothing where a person has it already. */
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

const beginning =
  'Passed on by the bot, which is silent in this conversation now. Assign it to the bot to let it answer again.';
/** What is longer stands above the note, in the conversation itself. */
const MOST_CHARACTERS = 300;
const MOST_TURNS = 5;

/** What the team is told of a conversation that goes to it: why, what was asked, and what the bot said to that. */
function handoverNote(recap: ConversationRecap | undefined): readonly Block[] {
  const { summary = null, turns = [] } = recap ?? {};
  return [
    noteLine(null, beginning),
    ...(summary === null ? [] : [noteLine('Before that', summary)]),
    ...turns
      .slice(-MOST_TURNS)
      .flatMap(({ question, answer }) => [
        noteLine('Asked', question),
        ...(answer === null ? [] : [noteLine('Answered', markdownToText(answer), true)]),
      ]),
  ];
}

function noteLine(name: string | null, words: string, tight = false): Block {
  const title = name === null ? [] : [{ text: `${name}: `, style: { bold: true } } as const];
  const spans = [...title, { text: truncate(words), style: {} }];
  return { kind: 'text', heading: null, prefix: '', quoted: false, tight, spans };
}

function markdownToText(markdown: string): string {
  return renderPlainText(parseMarkdown(markdown, { tableColumns: 0 }));
}

function truncate(words: string): string {
  const flat = words.replaceAll(/\s+/g, ' ').trim();
  return flat.length > MOST_CHARACTERS ? `${flat.slice(0, MOST_CHARACTERS).toWellFormed()}…` : flat;
}
