import type { Span, Style } from '../shared/markdown/block.ts';
import { splitMargins } from '../shared/markdown/split-margins.ts';
import { writeInlineCode } from './write-code.ts';

type Look = 'strike' | 'underline' | 'bold' | 'italic';

/** From the outermost inwards: each kind of marks can stand in the ones before it. */
const LOOKS: readonly (readonly [Look, string])[] = [
  ['strike', '~~'],
  ['underline', '__'],
  ['bold', '**'],
  ['italic', '*'],
];

/** Takes no room, and keeps marks apart that would be read as others. */
export const APART = '\u200b';

/** Runs of letters with their looks: marks are opened and closed as seldom as that can be. */
export function writeSpans(spans: readonly Span[]): string {
  let written = '';
  let open: readonly Look[] = [];
  const turnTo = (wanted: readonly Look[]) => {
    const kept = open.findIndex((look, index) => wanted[index] !== look);
    const same = kept < 0 ? open.length : kept;
    const closing = open.slice(same).toReversed().map(markOf).join('');
    const opening = wanted.slice(same).map(markOf).join('');
    if (closing !== '' && written.endsWith(closing.slice(0, 1))) written += APART;
    written += closing + (closing !== '' && opening !== '' ? APART : '') + opening;
    open = wanted;
  };
  for (const { text, style } of spans) {
    // Marks are read as such only next to letters: white space stays outside.
    const { before, inner, after } = splitMargins(text);
    if (inner === '') {
      turnTo([]);
      written += text;
      continue;
    }
    const code = style.code === true ? writeInlineCode(inner) : null;
    // Discord looks for the end of other marks within code too.
    const wanted = code === null ? looksOf(style) : [];
    if (before !== '') turnTo([]);
    written += before;
    if (wanted.join() !== open.join()) turnTo(wanted);
    if (code !== null && written.endsWith('`')) written += APART;
    written += code ?? escapeMarks(inner);
    if (after !== '') turnTo([]);
    written += after;
  }
  turnTo([]);
  return written;
}

function looksOf(style: Style): readonly Look[] {
  return LOOKS.flatMap(([look]) => (style[look] === true ? [look] : []));
}

function markOf(look: Look): string {
  return LOOKS.find(([name]) => name === look)?.[1] ?? '';
}

/** What would format, link, ping or hide something by accident. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|[\]<]|@(?=everyone|here)|:(?=\/\/)/g, '\\$&');
}

/** What means something at the beginning of a line only: headings, quotations, lists and small print. */
export function escapeLines(text: string): string {
  return text
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)(#{1,3}(?=\s)|>(?:>>)?(?=\s)|-(?=#?\s)|\+(?=\s))/gm, '$1\\$2')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*\d+)(?=[.)]\s)/gm, '$1\\');
}
