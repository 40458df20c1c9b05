import type { Block, TextBlock } from '../../../shared/markdown/blocks.ts';
import { parseMarkdown } from '../../../shared/markdown/read-markdown.ts';
import { speechLanguage, spokenText } from './spoken-text.ts';

/** Markdown as sentences that are read aloud one after the other: items of lists and rows of tables are sentences too. */
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

/** The number of an item, as a word; other marks are not said. */
function sentenceStart({ prefix }: TextBlock, tag: string): string {
  const number = /(?<!\d)(\d+)\.\s*$/.exec(prefix)?.[1];
  const ordinal = number === undefined ? undefined : speechLanguage(tag)?.ordinals[Number(number) - 1];
  return ordinal === undefined ? '' : `${ordinal}: `;
}

function withFullStop(text: string): string {
  const bare = text.replace(/(?<![\s,;–-])[\s,;–-]+$/, '');
  return /[.!?…:]$/.test(bare) ? bare : `${bare}.`;
}

/** A text as sentences. What looks like the end of one behind a number, as in `21. November`, is none. */
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

/** Half a minute of talk: more than that nobody listens to without being asked. */
const PORTION = 420;
/** What begins to be read soon. */
const FIRST = 110;

/** Sentences in portions that a caller can be expected to listen to, none of which is empty; each begins with a short one. */
export function splitIntoPortions(sentences: readonly string[]): readonly (readonly string[])[] {
  const portions: string[][] = [];
  let length = 0;
  for (const sentence of sentences.flatMap((one) => splitLongSentence(one, PORTION))) {
    const last = portions.at(-1);
    if (last === undefined || length + sentence.length > PORTION) {
      portions.push([sentence]);
      length = sentence.length;
    } else {
      last.push(sentence);
      length += sentence.length;
    }
  }
  return portions.map(([first = '', ...others]) => [...withShortBeginning(first), ...others]);
}

/** A long first sentence is begun at its first clause, and goes on without a pause. */
function withShortBeginning(sentence: string): readonly string[] {
  if (sentence.length <= FIRST) return [sentence];
  const clause = /^.{20,110}?[,;:](?=\s)/u.exec(sentence)?.[0];
  return clause === undefined ? [sentence] : [clause, sentence.slice(clause.length).trim()];
}

function splitLongSentence(sentence: string, most: number): readonly string[] {
  if (sentence.length <= most) return [sentence];
  const room = sentence.slice(0, most);
  const space = Math.max(room.lastIndexOf(', ') + 1, room.lastIndexOf(' '));
  // Where no space parts words, no letter is cut in two.
  const at = space > 0 ? space : most - (/[\uD800-\uDBFF]$/.test(room) ? 1 : 0);
  return [sentence.slice(0, at).trim(), ...splitLongSentence(sentence.slice(at).trim(), most)];
}
