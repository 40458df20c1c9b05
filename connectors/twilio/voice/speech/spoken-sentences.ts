import type { Block, TextBlock } from '../../../shared/markdown/block.ts';
import { readMarkdown } from '../../../shared/markdown/read-markdown.ts';
import { languageOf } from './language-of.ts';
import { splitSpeech } from './split-speech.ts';
import { spokenText } from './spoken-text.ts';

/** Markdown as sentences that are read aloud one after the other: items of lists and rows of tables are sentences too. */
export function spokenSentences(markdown: string, tag: string): readonly string[] {
  const blocks = readMarkdown(markdown, { tableColumns: 0 });
  return blocks.flatMap((block) => {
    const text = spokenText(textOf(block, tag), tag);
    return /[\p{L}\d]/u.test(text) ? splitSpeech(ended(text), tag) : [];
  });
}

function textOf(block: Block, tag: string): string {
  if (block.kind === 'code') return languageOf(tag)?.code ?? '';
  const words = block.spans.map(({ text }) => text).join('');
  return `${beginningOf(block, tag)}${words}`.replaceAll(/\s+/g, ' ');
}

/** The number of an item, as a word; other marks are not said. */
function beginningOf({ prefix }: TextBlock, tag: string): string {
  const number = /(?<!\d)(\d+)\.\s*$/.exec(prefix)?.[1];
  const ordinal = number === undefined ? undefined : languageOf(tag)?.ordinals[Number(number) - 1];
  return ordinal === undefined ? '' : `${ordinal}: `;
}

function ended(text: string): string {
  const bare = text.replace(/(?<![\s,;–-])[\s,;–-]+$/, '');
  return /[.!?…:]$/.test(bare) ? bare : `${bare}.`;
}
