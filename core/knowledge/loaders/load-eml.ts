import type { Address, Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import { DocumentError } from '../documents/document-error.ts';
import { BlockCollector } from './block-collector.ts';
import { findElement, getAttribute, type HtmlElement, parseHtml, pruneTree } from './html/parse-html.ts';
import { collectBlocks } from './html/walk-blocks.ts';
import { loadText } from './load-text.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle } from './metadata.ts';

const MAX_NESTING = 30;
const MAX_HEADERS_BYTES = 1024 * 1024;
const MAX_LISTED_ATTACHMENTS = 100;

/**
 * Reads a mail: the subject as title, a line with sender and date, the text without quoted history and signature, and the
 * names of attachments. Rejects with a DocumentError.
 */
export async function loadEml(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const mail = await parseMail(bytes);
  const collector = new BlockCollector(limits);
  collector.add('paragraph', originLine(mail));
  const html = mail.html ?? '';
  if (html.trim() === '') collectText(mail.text ?? '', collector, limits);
  else collectHtml(html, collector);
  const names = mail.attachments
    .filter(({ related, disposition }) => !(related === true || disposition === 'inline'))
    .map(({ filename }) => filename?.trim() ?? '')
    .filter((name) => name !== '');
  if (names.length > 0)
    collector.add('paragraph', `Attachments: ${names.slice(0, MAX_LISTED_ATTACHMENTS).join(', ')}`);
  const { title, blocks, url } = detectTitle(collector, { title: mail.subject ?? null, url: null });
  return { title: mail.subject?.trim() || title, blocks, url };
}

async function parseMail(bytes: Uint8Array): Promise<Email> {
  try {
    return await new PostalMime({ maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADERS_BYTES }).parse(
      bytes,
    );
  } catch (cause) {
    throw new DocumentError(
      cause instanceof Error && /nesting/i.test(cause.message) ? 'nested_too_deeply' : 'corrupt_file',
      'This mail',
      { cause },
    );
  }
}

/** Returns `From: Ada <ada@acme.example>, 2024-03-05`. */
function originLine({ from, date }: Email): string {
  const day =
    date === undefined || Number.isNaN(Date.parse(date)) ? '' : new Date(date).toISOString().slice(0, 10);
  const sender = from === undefined ? '' : addressText(from);
  const parts = [sender, day].filter((part) => part !== '');
  return parts.length === 0 ? '' : `From: ${parts.join(', ')}`;
}

function addressText({ name, address }: Address): string {
  if (address === undefined || address === '') return name;
  return name === '' || name === address ? address : `${name} <${address}>`;
}

function collectText(text: string, collector: BlockCollector, limits: LoadingLimits): void {
  const own = withoutHistory(text.replace(/\r\n?/g, '\n'));
  if (own.trim() === '') return;
  for (const { kind, text: line } of loadText(own, limits).blocks) collector.add(kind, line);
}

/** Returns a text without quoted lines and signature; the whole text if nothing else is left. */
function withoutHistory(text: string): string {
  const signature = /^-- $/m.exec(text);
  const lines = (signature === null ? text : text.slice(0, signature.index)).split('\n');
  const kept = lines.filter(
    (line, index) =>
      !line.startsWith('>') && !(/:\s*$/.test(line) && (lines[index + 1] ?? '').startsWith('>')),
  );
  return kept.some((line) => line.trim() !== '') ? kept.join('\n') : text;
}

const QUOTING_CLASS =
  /(?:^|\s)(?:gmail_quote|gmail_signature|moz-cite-prefix|moz-signature|yahoo_quoted|protonmail_quote)/;
const QUOTING_ID = /^(?:divRplyFwdMsg|appendonsend|Signature)$/;

function collectHtml(html: string, collector: BlockCollector): void {
  const page = parseHtml(html);
  pruneTree(page, { keepLandmarks: true });
  const quotes: HtmlElement[] = [];
  const isOwn = (element: HtmlElement): boolean => {
    const quoted =
      (element.tagName === 'blockquote' && getAttribute(element, 'type') === 'cite') ||
      QUOTING_CLASS.test(getAttribute(element, 'class') ?? '') ||
      QUOTING_ID.test(getAttribute(element, 'id') ?? '');
    if (quoted) quotes.push(element);
    return false;
  };
  findElement(page, isOwn);
  const before = quotes.map((quote) => ({
    parent: quote.parentNode,
    children: [...(quote.parentNode?.childNodes ?? [])],
  }));
  for (const quote of quotes)
    if (quote.parentNode !== null)
      quote.parentNode.childNodes = quote.parentNode.childNodes.filter((node) => node !== quote);
  const hasOwn = findElement(page, (element) =>
    element.childNodes.some((node) => 'value' in node && node.value.trim() !== ''),
  );
  // A forwarded mail is its quotation.
  if (hasOwn === null)
    for (const { parent, children } of before.reverse()) if (parent !== null) parent.childNodes = children;
  collectBlocks(page, collector);
}
