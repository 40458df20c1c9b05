import { indexTokens } from '../../../../core/knowledge/indexing/postings.ts';
import {
  type Candidate,
  type CorpusStatistics,
  indexedText,
  type RankedChunk,
} from '../../../../core/knowledge/passage.ts';
import {
  type AnalysedQuestion,
  analyseQuestion,
} from '../../../../core/knowledge/ranking/analyse-question.ts';
import { rankCandidates } from '../../../../core/knowledge/ranking/rank-candidates.ts';
import { correctSpelling } from '../../../../core/knowledge/ranking/spelling.ts';
import { termHash } from '../../../../core/language/tokens.ts';

export interface SmallPassage {
  readonly id: string;
  readonly body: string;
  readonly title?: string;
  readonly headings?: readonly string[];
  readonly document?: string;
  readonly ordinal?: number;
  readonly cosine?: number | null;
  readonly unitCosines?: readonly number[];
}

export interface SmallSearch {
  readonly question: AnalysedQuestion;
  readonly statistics: CorpusStatistics;
  readonly candidates: readonly Candidate[];
  readonly ranked: readonly RankedChunk[];
}

interface IndexedPassage {
  readonly passage: SmallPassage;
  readonly frequencies: ReadonlyMap<number, number>;
  readonly length: number;
}

/**
 * Searches a few passages exactly, in memory, and again if words are misspelt: every passage is a candidate. Without a
 * cosine, words alone decide.
 */
export function searchSmallIndex(text: string, passages: readonly SmallPassage[]): SmallSearch {
  const first = findCandidates(text, passages);
  const corrected = correctSpelling(first.question, { ...first, passages: first.candidates });
  const found = corrected === null ? first : findCandidates(corrected, passages);
  return { ...found, ranked: rankCandidates(found.question, found.candidates, found.statistics) };
}

function findCandidates(text: string, passages: readonly SmallPassage[]): Omit<SmallSearch, 'ranked'> {
  const question = analyseQuestion(text);
  const indexed = passages.map(indexPassage);
  const documentFrequency = new Map<number, number>();
  for (const hash of question.hashes) {
    const count = indexed.filter(({ frequencies }) => frequencies.has(hash)).length;
    if (count > 0) documentFrequency.set(hash, count);
  }
  const statistics = { chunks: passages.length, documentFrequency };
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const candidates = indexed.map((entry) =>
    candidateOf(entry, bm25(entry, { question, statistics, averageLength })),
  );
  return { question, statistics, candidates };
}

function indexPassage(passage: SmallPassage): IndexedPassage {
  const tokens = indexTokens(indexedText(passage.title ?? '', passage.headings ?? [], passage.body));
  const frequencies = new Map<number, number>();
  for (const token of tokens) frequencies.set(termHash(token), (frequencies.get(termHash(token)) ?? 0) + 1);
  return { passage, frequencies, length: tokens.length };
}

interface Scope {
  readonly question: AnalysedQuestion;
  readonly statistics: CorpusStatistics;
  readonly averageLength: number;
}

function bm25(entry: IndexedPassage, { question, statistics, averageLength }: Scope): number {
  return question.hashes.reduce((score, hash) => {
    const count = entry.frequencies.get(hash) ?? 0;
    const frequency = statistics.documentFrequency.get(hash) ?? 0;
    const rarity = Math.log(1 + (statistics.chunks - frequency + 0.5) / (frequency + 0.5));
    return score + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * entry.length) / averageLength));
  }, 0);
}

function candidateOf({ passage }: IndexedPassage, score: number): Candidate {
  return {
    chunkId: passage.id,
    documentId: passage.document ?? passage.id,
    ordinal: passage.ordinal ?? 0,
    title: passage.title ?? null,
    headings: passage.headings ?? [],
    body: passage.body,
    bm25: score,
    cosine: passage.cosine ?? null,
    unitCosines: passage.unitCosines ?? null,
  };
}
