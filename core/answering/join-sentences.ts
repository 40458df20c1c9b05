import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import type { ExtractiveAnswer } from './extractive-answer.ts';
import type { ScoredSentence } from './scored-sentence.ts';

interface Quoted {
  readonly passage: RankedChunk;
  readonly sentence: ScoredSentence;
}

/** Quoted sentences as one text, in the order of their documents; lists keep their lines, passages stand apart. */
export function joinSentences(quoted: readonly Quoted[]): ExtractiveAnswer {
  const ordered = inDocumentOrder(quoted);
  let text = '';
  ordered.forEach((part, index) => {
    const previous = ordered[index - 1];
    text += (previous === undefined ? '' : separator(previous, part)) + part.sentence.text;
  });
  return {
    text,
    sentences: ordered.map(({ passage, sentence }) => ({
      text: sentence.text,
      chunkId: passage.chunkId,
      documentId: passage.documentId,
    })),
  };
}

/** Documents in the order in which they were found, their passages and sentences as they are read. */
function inDocumentOrder(quoted: readonly Quoted[]): readonly Quoted[] {
  const documents = [...new Set(quoted.map(({ passage }) => passage.documentId))];
  return quoted.toSorted(
    (one, other) =>
      documents.indexOf(one.passage.documentId) - documents.indexOf(other.passage.documentId) ||
      one.passage.ordinal - other.passage.ordinal ||
      one.sentence.index - other.sentence.index,
  );
}

function separator(previous: Quoted, part: Quoted): string {
  if (previous.passage.chunkId !== part.passage.chunkId) return '\n\n';
  const isLine = [previous, part].some(
    ({ sentence }) => sentence.role === 'item' || sentence.role === 'heading',
  );
  return isLine ? '\n' : ' ';
}
