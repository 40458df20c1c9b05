import type { Block, TextBlock } from '../../../shared/markdown/blocks.ts';
import { parseMarkdown } from '../../../shared/markdown/read-markdown.ts';
import { speechLanguage, spokenText } from './spoken-text.ts';

/** Converts Markdown to spoken sentences. List items and table rows become sentences too. */
export function spokenSentences(markdown: string, tag: string): readonly string[] {
  const blocks = parseMarkdown(markdown, { tableColumns: 0 });
  return blocks.flatMap((block) => {
    const text = spokenText(blockText(block, tag), tag);
    return /[\p{L}\d]/u.test(text) ? splitSentences(withFullStop(text), tag) : [];
  });
}

function blockText(block: Block, tag: string): string {
  if (block.kind === 'code') return speechLanguage(tag)?.code ?? '';
  const words = block.spans.map(({ text }) => text).join('');
  return `${sentenceStart(block, tag)}${words}`.replaceAll(/\s+/g, ' ');
}

/** Returns the number of a list item as a word. Other markers are not spoken. */
function sentenceStart({ prefix }: TextBlock, tag: string): string {
  const number = /(?<!\d)(\d+)\.\s*$/.exec(prefix)?.[1];
  const ordinal = number === undefined ? undefined : speechLanguage(tag)?.ordinals[Number(number) - 1];
  return ordinal === undefined ? '' : `${ordinal}: `;
}

function withFullStop(text: string): string {
  const bare = text.replace(/(?<![\s,;–-])[\s,;–-]+$/, '');
  return /[.!?…:]$/.test(bare) ? bare : `${bare}.`;
}

/** Splits a text into sentences. A period after a number, as in `21. November`, does not end one. */
function splitSentences(text: string, tag: string): readonly string[] {
  const segments = [...new Intl.Segmenter(tag, { granularity: 'sentence' }).segment(text)];
  const sentences: string[] = [];
  for (const { segment } of segments) {
    const before = sentences.at(-1);
    if (before !== undefined && /(?:\b\d{1,2}|\b\p{L})\.\s*$/u.test(before)) {
      sentences[sentences.length - 1] = before + segment;
    } else sentences.push(segment);
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

/** About half a minute of speech: callers want to be asked before they hear more. */
const PORTION_CHARS = 420;
/** Maximum length of the first sentence, so that speech begins soon. */
const FIRST_CHARS = 110;

/** Groups sentences into portions that callers can follow. None is empty, and each begins with a short sentence. */
export function splitIntoPortions(sentences: readonly string[]): readonly (readonly string[])[] {
  const portions: string[][] = [];
  let length = 0;
  for (const sentence of sentences.flatMap((one) => splitLongSentence(one, PORTION_CHARS))) {
    const last = portions.at(-1);
    if (last === undefined || length + sentence.length > PORTION_CHARS) {
      portions.push([sentence]);
      length = sentence.length;
    } else {
      last.push(sentence);
      length += sentence.length;
    }
  }
  return portions.map(([first = '', ...others]) => [...withShortBeginning(first), ...others]);
}

/** Cuts a long first sentence after its first clause. The speech continues without a pause. */
function withShortBeginning(sentence: string): readonly string[] {
  if (sentence.length <= FIRST_CHARS) return [sentence];
  const clause = /^.{20,110}?[,;:](?=\s)/u.exec(sentence)?.[0];
  return clause === undefined ? [sentence] : [clause, sentence.slice(clause.length).trim()];
}

function splitLongSentence(sentence: string, max: number): readonly string[] {
  if (sentence.length <= max) return [sentence];
  const room = sentence.slice(0, max);
  const space = Math.max(room.lastIndexOf(', ') + 1, room.lastIndexOf(' '));
  // Without a space, cuts between code points.
  const at = space > 0 ? space : max - (/[\uD800-\uDBFF]$/.test(room) ? 1 : 0);
  return [sentence.slice(0, at).trim(), ...splitLongSentence(sentence.slice(at).trim(), max)];
}
