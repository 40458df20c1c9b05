import {
  type OutboundPart,
  type Reply,
  type ReplyFile,
  splitFiles,
} from '../../../core/contract/outbound.ts';
import {
  type Block,
  groupByLink,
  type Span,
  type Style,
  type TextBlock,
} from '../../shared/markdown/blocks.ts';
import { parseReply } from '../../shared/markdown/read-markdown.ts';
import { splitBlocks, splitMargins } from '../../shared/markdown/split-blocks.ts';
import { withPersonLine } from '../../shared/offer-texts.ts';
import { manifest } from './manifest.ts';

/** Phones show code up to this width without wrapping it. */
const TABLE_COLUMNS = 34;
/** WhatsApp refuses an empty message. */
const PLACEHOLDER = '…';

/** Renders a reply as one or more messages, each within the limit including its markup. */
export function render(reply: Reply): readonly OutboundPart[] {
  const { shown, rest } = splitFiles(withPersonLine(reply, 'orWords'), isMedia);
  const media = shown.map(({ name, url }) => ({ content: { body: name, mediaUrl: url } }));
  return rest.text === '' && media.length > 0 ? media : [...renderText(rest), ...media];
}

/** Twilio takes one file with a message. Other types would be refused after the message was accepted. */
function isMedia({ contentType, byteCount }: ReplyFile): boolean {
  return byteCount <= (mediaLimits[contentType] ?? -1);
}

/** Maximum bytes by type, as WhatsApp takes them. */
const mediaLimits: Readonly<Record<string, number>> = {
  'image/jpeg': 5_000_000,
  'image/png': 5_000_000,
  'application/pdf': 10 * 2 ** 20,
};

function renderText(reply: Reply): readonly OutboundPart[] {
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const parts = splitBlocks(blocks, (some) => renderMarkup(some).length <= manifest.limits.textChars);
  const bodies = parts.map(renderMarkup).filter((body) => body.trim() !== '');
  return (bodies.length > 0 ? bodies : [PLACEHOLDER]).map((body) => ({ content: { body } }));
}

/** Renders blocks in WhatsApp's markup. Headings become bold, and the address of a link follows its text. */
function renderMarkup(blocks: readonly Block[]): string {
  return blocks
    .map((block, index) => {
      const separator = index === 0 ? '' : block.tight ? '\n' : '\n\n';
      const text =
        block.kind === 'code' ? `\`\`\`${block.text.replaceAll('```', "'''")}\`\`\`` : renderTextBlock(block);
      return separator + (block.quoted ? text.replaceAll(/^/gm, '> ') : text);
    })
    .join('');
}

function renderTextBlock({ prefix, heading, spans }: TextBlock): string {
  const pieces = groupByLink(spans).flatMap(({ link, spans: run }) => {
    const shown = run.map(({ text }) => text).join('');
    const isItself = link === null || withoutScheme(shown) === withoutScheme(link);
    return isItself ? run : [...run, { text: ` (${link})`, style: {} }];
  });
  return (
    prefix +
    pieces.map((span, index) => withMark(span, { pieces, index, isHeading: heading !== null })).join('')
  );
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

interface Place {
  readonly pieces: readonly Span[];
  readonly index: number;
  readonly isHeading: boolean;
}

/**
 * WhatsApp recognises a mark only at word boundaries and within a line. Elsewhere it would be shown literally, so it is
 * omitted.
 */
function withMark({ text, style }: Span, { pieces, index, isHeading }: Place): string {
  const before = pieces[index - 1]?.text.at(-1) ?? ' ';
  const after = pieces[index + 1]?.text[0] ?? ' ';
  const marks = styleMarks(isHeading && style.code !== true ? { ...style, bold: true } : style);
  if (marks.length === 0) return text;
  return text.replaceAll(/[^\n]+/g, (line, at: number) => {
    const { before: lead, inner: words, after: trail } = splitMargins(line);
    const opens = lead !== '' || at > 0 || !isWord(before);
    const ends = trail !== '' || at + line.length < text.length || !isWord(after);
    const isPlain = words === '' || !opens || !ends || marks.some((mark) => words.includes(mark));
    return isPlain ? line : lead + marks.reduce((inner, mark) => `${mark}${inner}${mark}`, words) + trail;
  });
}

function isWord(letter: string): boolean {
  return /[\p{L}\p{N}]/u.test(letter);
}

function styleMarks({ code, bold, italic, strike }: Style): readonly string[] {
  if (code === true) return ['`'];
  const marks = { '*': bold, _: italic, '~': strike };
  return Object.entries(marks).flatMap(([mark, has]) => (has === true ? [mark] : []));
}
