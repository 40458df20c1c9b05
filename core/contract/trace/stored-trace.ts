import { z } from 'zod';
import { type AnswerTrace, answerTraceSchema } from './answer-trace.ts';

/**
 * A trace as it is stored. Its passages are one text, because a database takes longer to read two hundred numbers and names
 * than all else of a question's answer costs to store.
 */
const storedTraceSchema = answerTraceSchema.omit({ passages: true }).extend({
  /** The ids of the passages' documents. */
  documents: z.array(z.string()),
  /** One group for each passage, see `packPassage`. */
  passages: z.string(),
});

export type StoredTrace = z.output<typeof storedTraceSchema>;

type Passage = AnswerTrace['passages'][number];

const uses = answerTraceSchema.shape.passages.element.shape.use.options;

/** Returns a trace as it is stored. Pure. */
export function packTrace({ passages, ...trace }: AnswerTrace): StoredTrace {
  const documents = [...new Set(passages.map(({ document }) => document))];
  return {
    ...trace,
    documents,
    passages: passages.map((passage) => packPassage(passage, documents)).join(';'),
  };
}

function packPassage(passage: Passage, documents: readonly string[]): string {
  const { words, coverage, meaning, fused } = passage;
  return [
    passage.chunk,
    documents.indexOf(passage.document),
    ...[words, coverage, meaning, fused].map((share) => Math.round(share * 100)),
    Math.round(passage.score * 10_000),
    uses.indexOf(passage.use),
    Number(passage.read),
  ].join(' ');
}

/** Returns the trace that was stored; null if there is none, or one of a form that this version does not know. Pure. */
export function unpackTrace(stored: unknown): AnswerTrace | null {
  const read = storedTraceSchema.safeParse(stored).data;
  if (read === undefined) return null;
  const { documents, passages, ...trace } = read;
  const groups = passages === '' ? [] : passages.split(';');
  return { ...trace, passages: groups.map((group) => unpackPassage(group, documents)) };
}

function unpackPassage(group: string, documents: readonly string[]): Passage {
  const [chunk = '', document, words, coverage, meaning, fused, score, use, read] = group.split(' ');
  const share = (text = '0') => Number(text) / 100;
  return {
    chunk,
    document: documents[Number(document)] ?? '',
    words: share(words),
    coverage: share(coverage),
    meaning: share(meaning),
    fused: share(fused),
    score: Number(score) / 10_000,
    read: read === '1',
    use: uses[Number(use)] ?? 'below',
  };
}
