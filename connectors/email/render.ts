import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, html, serialize, defaultTreeAdapter as tree } from 'parse5';
import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import {
  escapeMarkdown,
  type OutboundPart,
  type Reply,
  type ReplyFile,
  splitFiles,
} from '../../core/contract/outbound.ts';
import {
  type Block,
  groupByLink,
  type Row,
  renderPlainText,
  type Span,
  type Style,
  type Table,
  type TextBlock,
} from '../shared/markdown/blocks.ts';
import { parseReply } from '../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { withPersonLine } from '../shared/offer-texts.ts';
import { formatMessageId, type MailAddress, parseAddress, threadAddress } from './identifiers.ts';
import { type EmailAccount, manifest } from './manifest.ts';
import { baseSubject } from './parsing/message-text.ts';

/** Mail programs show preformatted text up to this width without wrapping it. */
const TABLE_COLUMNS = 76;
/** Servers refuse longer headers. The first and the last ids identify the thread. */
const MAX_REFERENCES = 30;
const MAX_SUBJECT = 250;
const PLACEHOLDER = '…';

/**
 * Renders a reply as one mail, or several if it is very long. The first replies to the visitor's mail, the others to
 * it.
 */
export function render(whole: Reply, to: ConversationRef, account: EmailAccount): readonly OutboundPart[] {
  const address = parseAddress(to);
  const { shown: files, rest } = attachable(withPersonLine(whole));
  const reply = rest.text === '' && files.length > 0 ? { ...rest, text: listNames(files) } : rest;
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const parts = splitBlocks(blocks, fits);
  const partsOrPlaceholder = parts.length > 0 ? parts : [[emptyBlock]];
  const unique =
    reply.id ??
    createHash('sha256')
      .update(JSON.stringify([reply, to.address]))
      .digest('hex');
  const common = {
    to: { name: address.name, address: address.to },
    replyTo: threadAddress(to.lane, account),
    subject: `Re: ${baseSubject(address.subject).slice(0, MAX_SUBJECT).toWellFormed()}`.trim(),
    isAutomatic: reply.author === 'bot',
  };
  return partsOrPlaceholder.map((part, index): { content: Part } => {
    const quoted = index === partsOrPlaceholder.length - 1 ? quotedMail(address) : null;
    return {
      content: {
        ...common,
        messageId: formatMessageId(to.lane, `${unique}.${index}`, account),
        references: limitReferences(address.references),
        files: index === 0 ? files.map(({ name, contentType, url }) => ({ name, contentType, url })) : [],
        text: [renderPlainText(part), ...(quoted === null ? [] : ['', quotationText(quoted)])].join('\n'),
        html: renderHtml(part, quoted),
      },
    };
  });
}

/** More could not be sent within the time of one call; the visitor gets links to the rest. */
const MAX_ATTACHED_BYTES = 10 * 2 ** 20;

function attachable(reply: Reply) {
  let left = MAX_ATTACHED_BYTES;
  return splitFiles(reply, ({ byteCount }) => {
    if (byteCount > left) return false;
    left -= byteCount;
    return true;
  });
}

/** A mail without text names its files, because mail programs hide empty ones. */
function listNames(files: readonly ReplyFile[]): string {
  return files.map(({ name }) => escapeMarkdown(name)).join('  \n');
}

const emptyBlock: Block = {
  kind: 'text',
  heading: null,
  prefix: '',
  quoted: false,
  tight: false,
  spans: [{ text: PLACEHOLDER, style: {} }],
};

function fits(blocks: readonly Block[]): boolean {
  return renderPlainText(blocks).length <= manifest.limits.textChars;
}

function limitReferences(references: readonly string[]): string[] {
  if (references.length <= MAX_REFERENCES) return [...references];
  return [...references.slice(0, 1), ...references.slice(1 - MAX_REFERENCES)];
}

/** The first line contains the date in ISO 8601, which needs no translation. */
function quotedMail({ quote, to }: MailAddress): readonly string[] | null {
  if (quote === null || quote.text.trim() === '') return null;
  return [`${quote.at.slice(0, 16).replace('T', ' ')} UTC, ${to}:`, ...quote.text.trim().split('\n')];
}

function quotationText([introduction = '', ...lines]: readonly string[]): string {
  return [introduction, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}

const schema = z.object({
  /** Our Message-ID without angle brackets. It stays the same when the part is sent again. */
  messageId: z.string(),
  to: z.object({ name: z.string(), address: z.string() }),
  /** Address for replies; null if it is the sender's address. */
  replyTo: z.string().nullable(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  references: z.array(z.string()),
  files: z.array(z.object({ name: z.string(), contentType: z.string(), url: z.string() })),
  /** Whether the bot wrote the reply. */
  isAutomatic: z.boolean(),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('The part is not a mail.', { advice: { retry: 'never' } });
}

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Mail programs drop style sheets and keep style attributes. */
const BODY_STYLE = 'font-family: sans-serif; font-size: 14px; line-height: 1.5;';
const QUOTE_STYLE = 'margin: 0 0 0 8px; padding-left: 8px; border-left: 2px solid #cccccc;';
const CODE_STYLE = 'font-family: monospace; font-size: 13px; white-space: pre-wrap; margin: 12px 0;';
const tableBox = 'border-collapse: collapse; margin: 12px 0 0; font-size: 14px; line-height: 1.4;';
const cellBox = 'padding: 6px 10px; border: 1px solid #cccccc; vertical-align: top;';

/** A list marker as written by `parseMarkdown`: its indentation, and its number or sign. */
const itemMark = /^((?: {2})*)(?:(\d{1,9})\.|([•☑☐])) $/u;
const indent = /^(?: {2})+$/;

interface List {
  readonly element: Element;
  readonly kind: string;
  /** The number of the last item. */
  readonly number: number;
  readonly item: Element;
}

/** Renders blocks as HTML. It builds a tree and serialises it, so that text can never become markup. */
function renderHtml(blocks: readonly Block[], quoted: readonly string[] | null): string {
  const document = tree.createDocument();
  const root = appendBlock(document, 'html');
  const head = appendBlock(root, 'head');
  appendBlock(head, 'meta', { charset: 'utf-8' });
  appendBlock(head, 'meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' });
  const body = appendBlock(root, 'body');
  const content = appendBlock(body, 'div', { style: BODY_STYLE });
  for (const run of runsOf(blocks)) {
    writeRun(run, run[0]?.quoted ? appendBlock(content, 'blockquote', { style: QUOTE_STYLE }) : content);
  }
  if (quoted !== null) renderQuotation(quoted, body);
  return `<!DOCTYPE html>${serialize(document)}`;
}

/** Groups adjacent blocks that are quoted or not. */
function runsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const runs: Block[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last?.[0]?.quoted === block.quoted) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

function appendBlock(
  parent: Parent,
  name: string,
  attributes: Readonly<Record<string, string>> = {},
): Element {
  const attrs = Object.entries(attributes).map(([attribute, value]) => ({ name: attribute, value }));
  const element = tree.createElement(name, html.NS.HTML, attrs);
  tree.appendChild(parent, element);
  return element;
}

function writeRun(blocks: readonly Block[], parent: Element): void {
  let lists: readonly List[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'code') {
      lists = [];
      writeCode(block, parent);
    } else if (block.row !== undefined) {
      lists = [];
      if (!isSameTable(blocks[index - 1], block)) writeTable(tableFrom(blocks.slice(index)), parent);
    } else {
      lists = writeInLists(block, lists, parent);
    }
  }
}

function writeCode({ text, table }: Extract<Block, { kind: 'code' }>, parent: Element): void {
  if (table !== undefined) writeTable(table, parent);
  else tree.insertText(appendBlock(appendBlock(parent, 'pre', { style: CODE_STYLE }), 'code'), text);
}

/**
 * Writes a text as a list item, as a continuation of the last item, or as a paragraph that ends all lists. Returns the
 * open lists.
 */
function writeInLists(block: TextBlock, lists: readonly List[], parent: Element): readonly List[] {
  const [, spaces = '', digits, sign = ''] = itemMark.exec(block.prefix) ?? [];
  if (digits !== undefined || sign !== '') {
    const outer = lists.slice(0, spaces.length / 2);
    const open = lists[outer.length];
    const kind = digits === undefined ? (sign === '☐' ? '☑' : sign) : 'ol';
    const item = { kind, number: Number(digits ?? 0), tight: block.tight };
    const list = writeItem(item, { open, parent: outer.at(-1)?.item ?? parent });
    renderTextBlock({ ...block, prefix: ['☑', '☐'].includes(sign) ? `${sign} ` : '' }, list.item);
    return [...outer, list];
  }
  const holder = indent.test(block.prefix) ? lists[block.prefix.length / 2 - 1] : undefined;
  writeParagraph(holder === undefined ? block : { ...block, prefix: '' }, holder?.item ?? parent);
  return holder === undefined ? [] : lists.slice(0, block.prefix.length / 2);
}

interface Item {
  readonly kind: string;
  readonly number: number;
  readonly tight: boolean;
}

/** Adds an item to the open list if it continues that list, otherwise starts a new list. */
function writeItem(
  { kind, number, tight }: Item,
  { open, parent }: { readonly open: List | undefined; readonly parent: Element },
): List {
  const continuesList = open?.kind === kind && (kind !== 'ol' || number === open.number + 1);
  const isInner = tree.getTagName(parent) === 'li';
  const element = continuesList ? open.element : addList({ kind, number, isInner }, parent);
  const item = appendBlock(element, 'li', {
    style: `margin: ${continuesList && !tight ? '8px' : '2px'} 0 0; padding: 0;`,
  });
  return { element, kind, number, item };
}

function addList(
  { kind, number, isInner }: Omit<Item, 'tight'> & { isInner: boolean },
  parent: Element,
): Element {
  const isChecked = kind === '☑';
  const margin = `margin: ${isInner ? '0' : '12px'} 0 0; padding: 0 0 0 ${isChecked ? '4px' : '24px'};`;
  const style = isChecked ? `${margin} list-style-type: none;` : margin;
  return appendBlock(parent, kind === 'ol' ? 'ol' : 'ul', {
    style,
    ...(kind === 'ol' && number !== 1 && { start: String(number) }),
  });
}

function isSameTable(before: Block | undefined, { row }: TextBlock): boolean {
  return before?.kind === 'text' && before.row !== undefined && before.row.table === row?.table;
}

/** Collects the consecutive rows of a table, because a mail may contain only some rows of a long one. */
function tableFrom(blocks: readonly Block[]): Table {
  const [first] = blocks;
  const table = first?.kind === 'text' ? first.row?.table : undefined;
  const rows: Row[] = [];
  for (const block of blocks) {
    if (block.kind !== 'text' || block.row === undefined || block.row.table !== table) break;
    rows.push(block.row.table.rows[block.row.index] ?? []);
  }
  return { align: table?.align ?? [], header: table?.header ?? [], rows };
}

function writeTable({ align, header, rows }: Table, parent: Element): void {
  // On a narrow screen the table scrolls, not the whole mail.
  const box = appendBlock(parent, 'div', { style: 'max-width: 100%; overflow-x: auto;' });
  const table = appendBlock(box, 'table', {
    cellpadding: '0',
    cellspacing: '0',
    border: '0',
    style: tableBox,
  });
  const styleOf = (column: number) => `${cellBox} text-align: ${align[column] ?? 'left'};`;
  const titles = appendBlock(appendBlock(table, 'thead'), 'tr');
  for (const [column, spans] of header.entries()) {
    const style = `${styleOf(column)} font-weight: bold; background-color: #f2f2f2; color: #222222;`;
    writeSpans(spans, appendBlock(titles, 'th', { scope: 'col', style }));
  }
  const body = appendBlock(table, 'tbody');
  for (const row of rows) {
    const line = appendBlock(body, 'tr');
    for (const column of header.keys()) {
      writeSpans(row[column] ?? [], appendBlock(line, 'td', { style: styleOf(column) }));
    }
  }
}

function writeParagraph(block: TextBlock, parent: Element): void {
  const style = `margin: ${block.tight ? '0' : '12px 0 0'};`;
  const level = block.heading === null ? 'p' : block.heading <= 2 ? 'h2' : 'h3';
  renderTextBlock(
    block,
    appendBlock(parent, level, { style: `${style}${level === 'p' ? '' : ' font-size: 16px;'}` }),
  );
}

function renderTextBlock({ prefix, spans }: TextBlock, parent: Element): void {
  renderLines(prefix, parent);
  writeSpans(spans, parent);
}

function writeSpans(spans: readonly Span[], parent: Element): void {
  for (const run of groupByLink(spans)) {
    const place = run.link === null ? parent : appendBlock(parent, 'a', { href: run.link });
    for (const span of run.spans) renderSpan(span, place);
  }
}

function renderSpan({ text, style }: Span, parent: Element): void {
  renderLines(
    text,
    styleTags(style).reduce<Element>((inner, tag) => appendBlock(inner, tag), parent),
  );
}

function styleTags({ bold, italic, underline, strike, code }: Style): readonly string[] {
  const tags = { strong: bold, em: italic, u: underline, s: strike, code };
  return Object.entries(tags).flatMap(([tag, has]) => (has === true ? [tag] : []));
}

function renderLines(text: string, parent: Element): void {
  text.split('\n').forEach((line, index) => {
    if (index > 0) appendBlock(parent, 'br');
    if (line !== '') tree.insertText(parent, line);
  });
}

function renderQuotation([introduction = '', ...lines]: readonly string[], body: Element): void {
  tree.insertText(appendBlock(body, 'p', { style: BODY_STYLE }), introduction);
  renderLines(
    lines.join('\n'),
    appendBlock(body, 'blockquote', { type: 'cite', style: `${QUOTE_STYLE} ${BODY_STYLE}` }),
  );
}
