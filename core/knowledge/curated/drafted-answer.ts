import { chunkDocument } from '../chunk-document.ts';
import { type Embedder, spaceOf } from '../embedding/embedder.ts';
import { countTerms, type PassageTerms } from '../indexing/postings.ts';
import { loadCurated } from '../loaders/data/load-curated.ts';
import { DEFAULT_LOADING_LIMITS } from '../loaders/loader.ts';
import { type CorpusStatistics, type FoundCandidates, type FoundPassage, indexedText } from '../passage.ts';
import {
  packSentenceVectors,
  type SentenceVectors,
  sentenceCosines,
  sentenceTexts,
} from '../sentence-vectors.ts';
import type { WeighedVector } from '../vectors.ts';
import { type CuratedContent, toIndexedContent, toQuestionKey, toQuestionKeys } from './curated-answer.ts';

/** A curated answer that is not stored, as a search would find it. */
export interface DraftedAnswer {
  readonly content: CuratedContent;
  /** The stored answer that it would replace; null if it is a new one. */
  readonly replaces: string | null;
  /** The embedding model of its vectors; null without vectors. */
  readonly modelId: number | null;
  readonly passages: readonly DraftedPassage[];
}

interface DraftedPassage {
  readonly headings: readonly string[];
  readonly body: string;
  readonly terms: PassageTerms;
  readonly vector: Float32Array | null;
  readonly sentences: SentenceVectors;
}

/** The document id of an answer that is not stored. */
const DRAFT_ID = 'cur_draft';

/** Cuts, counts and embeds an answer as indexing it would. Rejects as the embedder does. */
export async function draftAnswer(
  embedder: Embedder,
  content: CuratedContent,
  replaces: string | null,
): Promise<DraftedAnswer> {
  const text = new TextDecoder().decode(toIndexedContent(content));
  const { question: title } = content;
  const chunks = chunkDocument(loadCurated(text, DEFAULT_LOADING_LIMITS));
  const space = spaceOf(embedder);
  const vectors =
    space === null
      ? []
      : await embedder.embedPassages(chunks.map(({ headings, body }) => indexedText(title, headings, body)));
  const passages: DraftedPassage[] = [];
  for (const [index, { headings, body }] of chunks.entries()) {
    const texts = sentenceTexts({ title, body }, embedder);
    passages.push({
      ...{ headings, body },
      terms: countTerms({ title, headings, body }),
      vector: vectors[index] ?? null,
      sentences: packSentenceVectors(texts.length === 0 ? [] : await embedder.embedPassages(texts)),
    });
  }
  return { content, replaces, modelId: space?.id ?? null, passages };
}

interface AskedAbout {
  readonly question: string;
  readonly terms: readonly number[];
  readonly vector: WeighedVector | null;
}

/** Adds an answer that is not stored to what was found, in the place of the one that it would replace. Pure. */
export function addDrafted(
  { passages, statistics }: FoundCandidates,
  { content, replaces, modelId, passages: drafted }: DraftedAnswer,
  { question, terms, vector }: AskedAbout,
): FoundCandidates {
  const all = countDrafted(statistics, drafted);
  const own = { curated: content.action, isExact: toQuestionKeys(content).includes(toQuestionKey(question)) };
  const isComparable = vector !== null && (vector.modelId ?? 0) === modelId;
  const added = drafted.map((passage, ordinal): FoundPassage => {
    const values = isComparable ? vector.values : null;
    return {
      ...own,
      // Ids below zero are those of no stored passage.
      chunkId: String(-1 - ordinal),
      documentId: DRAFT_ID,
      ordinal,
      title: content.question,
      ...{ url: null, place: null, headings: passage.headings, body: passage.body },
      bm25: scoreWords(passage.terms, terms, all),
      cosine: values === null || passage.vector === null ? null : innerProduct(passage.vector, values),
      unitCosines: values === null ? null : sentenceCosines(passage.sentences, values),
    };
  });
  const others = passages.filter(({ documentId }) => documentId !== replaces);
  return { statistics: all, passages: [...others, ...added] };
}

function countDrafted(
  { chunks, documentFrequency }: CorpusStatistics,
  drafted: readonly DraftedPassage[],
): CorpusStatistics {
  const frequency = new Map(documentFrequency);
  for (const { terms } of drafted)
    for (const term of terms.frequencies.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return { chunks: chunks + drafted.length, documentFrequency: frequency };
}

const K1 = 1.2;

/** BM25 as the search counts it, for a passage of average length. */
function scoreWords(
  { frequencies }: PassageTerms,
  terms: readonly number[],
  { chunks, documentFrequency }: CorpusStatistics,
): number {
  return terms.reduce((sum, term) => {
    const frequency = frequencies.get(term) ?? 0;
    const known = documentFrequency.get(term) ?? 0;
    const weight = Math.log(1 + (chunks - known + 0.5) / (known + 0.5));
    return sum + (weight * frequency * (K1 + 1)) / (frequency + K1);
  }, 0);
}

function innerProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [index, value] of one.entries()) sum += value * (other[index] ?? 0);
  return sum;
}
