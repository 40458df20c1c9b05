import { estimateWordPieces, vocabularyOf } from './estimate-word-pieces.ts';
import type { Block, LoadedDocument } from './loaders/loaded-document.ts';
import { packUnits } from './pack-units.ts';
import { splitBlock } from './split-block.ts';

/** The unit of retrieval: one passage of one section, small enough for the embedding model to read whole. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** The headings above the passage, outermost first; without the document's title. */
  readonly headings: readonly string[];
  /** The passage as it is shown and quoted. */
  readonly body: string;
}

/** Fits in the model's window of 254 with room for what the estimate gets wrong. */
const MAX_PIECES = 240;
/** However long the headings are, a passage may use this many of the pieces. */
const MIN_BODY_PIECES = 120;
const MAX_CHARACTERS = 1000;

/**
 * Cuts a document into passages along its structure: none crosses a heading, blocks stay whole where they fit, what
 * is too long parts at items, rows, lines or sentences. Passages do not overlap, and none of the text is left out.
 */
export function chunkDocument(document: LoadedDocument): readonly Chunk[] {
  const vocabulary = vocabularyOf(document.blocks.map((block) => block.text));
  const countPieces = (text: string): number => estimateWordPieces(text, vocabulary);
  return sections(document.blocks)
    .flatMap(({ headings, blocks }) => {
      const room = MAX_PIECES - countPieces([document.title ?? '', ...headings].join(' '));
      const size = { maxCharacters: MAX_CHARACTERS, maxPieces: Math.max(MIN_BODY_PIECES, room), countPieces };
      const units = blocks.flatMap((block) => splitBlock(block, size));
      return packUnits(units, size).map((body) => ({ headings, body }));
    })
    .map(({ headings, body }, ordinal) => ({ ordinal, headings, body }));
}

interface Section {
  readonly headings: readonly string[];
  readonly blocks: Block[];
}

/** Blocks that follow one another under the same headings. */
function sections(blocks: readonly Block[]): readonly Section[] {
  const found: Section[] = [];
  for (const block of blocks) {
    const section = found.at(-1);
    if (section !== undefined && isSamePath(section.headings, block.headings)) section.blocks.push(block);
    else found.push({ headings: block.headings, blocks: [block] });
  }
  return found;
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((heading, index) => heading === other[index]);
}
