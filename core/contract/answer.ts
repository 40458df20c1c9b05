import { z } from 'zod';

/** An earlier exchange of the conversation. */
export interface EarlierTurn {
  readonly question: string;
  /** Null if the answer was the fallback message. */
  readonly answer: string | null;
}

export type Confidence = 'high' | 'medium' | 'low';

/**
 * How an answer presents itself: as the answer, as a passage that may be the answer and says so, or as the fallback (also
 * text that no passage supports).
 */
export type Tier = 'answer' | 'maybe' | 'none';

/** The least probabilities of a passage that is shown as the answer, and of one that may be it. */
export interface Tiers {
  readonly answer: number;
  readonly maybe: number;
}

export function tierOf(probability: number, { answer, maybe }: Tiers): Tier {
  if (probability >= answer) return 'answer';
  return probability >= maybe ? 'maybe' : 'none';
}

const numbers = { from: z.int(), to: z.int() };

/** Where in its document a passage stands. Pages, slides and rows count from 1; a row as the sheet numbers it. */
export const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), ...numbers }),
  z.object({ kind: z.literal('slide'), ...numbers }),
  /** `sheet` is null in a file that has a single sheet without a name, such as CSV. */
  z.object({ kind: z.literal('rows'), sheet: z.string().nullable(), ...numbers }),
]);

export type Place = z.output<typeof placeSchema>;

/** Returns the place of two neighbouring texts. The place of the first counts if they are in different sheets. */
export function joinPlaces(one: Place | null, next: Place | null): Place | null {
  if (one === null || next === null) return one ?? next;
  if (one.kind !== next.kind) return one;
  if (one.kind === 'rows' && next.kind === 'rows' && one.sheet !== next.sheet) return one;
  return { ...one, from: Math.min(one.from, next.from), to: Math.max(one.to, next.to) };
}

const NAMES = {
  en: { page: ['page', 'pages'], slide: ['slide', 'slides'], rows: ['row', 'rows'] },
  de: { page: ['Seite', 'Seiten'], slide: ['Folie', 'Folien'], rows: ['Zeile', 'Zeilen'] },
} as const;

/** Returns a place in words: `page 112`, `slides 3–4`, `Fees, row 7`. German, or else English. */
export function placeLabel(place: Place, language: string | null): string {
  const [one, several] = NAMES[language === 'de' ? 'de' : 'en'][place.kind];
  const label = place.from === place.to ? `${one} ${place.from}` : `${several} ${place.from}–${place.to}`;
  return place.kind === 'rows' && place.sheet !== null ? `${place.sheet}, ${label}` : label;
}

/** Returns the address that opens a document at a place, which browsers support for pages of a PDF; otherwise `url`. */
export function placeUrl(place: Place | null, url: string | null): string | null {
  if (place?.kind !== 'page' || url === null || url.includes('#')) return url;
  return `${url}#page=${place.from}`;
}

/** A passage that supports an answer. */
export interface Source {
  readonly documentId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string | null;
  /** The headings above the passage, outermost first, without the title; empty if none are known. */
  readonly headings: readonly string[];
  /** When its document was changed last, as the answer was written; null if that is not known. */
  readonly changedAt: Date | null;
  /** The passage's exact text, in Markdown. */
  readonly chunk: string;
  /** Where in its document the passage stands; null if the format does not tell. */
  readonly place: Place | null;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * A sentence of an answer and the passages that it rests on. `start` and `end` are offsets into the text of the answer, in
 * UTF-16 code units (`text.slice(start, end)` in JavaScript).
 */
export interface Citation {
  readonly start: number;
  readonly end: number;
  /** In order of relevance; each is the `chunkId` of one of the answer's sources. */
  readonly chunkIds: readonly string[];
}

/** Returns a score as it is stored and shown: with four decimals. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

export interface Answer {
  readonly text: string;
  /** Best first, at most five. In the tier `none` they are related passages, or empty. */
  readonly sources: readonly Source[];
  /** Which sentence rests on which source, in order; empty for small talk and the fallback message. */
  readonly citations: readonly Citation[];
  /** Low for the tiers `maybe` and `none`. */
  readonly confidence: Confidence;
  readonly tier: Tier;
  /** The calibrated probability that the answer is right, 0 to 1; null if it is not quoted from documents. */
  readonly probability: number | null;
  /** The sentence, item or row that answers, for channels without room for more. Null: the text itself. */
  readonly lead: string | null;
  /** Whether a language model wrote any of the text. */
  readonly isGenerated: boolean;
  /** Whether the text is quoted from documents. */
  readonly isQuoted: boolean;
  /** The score of the best passage, 0 to 1; 0 if nothing was found. */
  readonly score: number;
  /** Tokens billed by language models; 0 without a model. */
  readonly tokensUsed: number;
  readonly skillsFired: readonly string[];
}

/** Why an answer is incomplete: the client disconnected, or the time limit passed. */
export type EarlyEnd = 'cancelled' | 'timeout';

/**
 * The abort reason that stores the answer written so far, marked as incomplete. With any other reason, nothing is stored.
 */
export class Interruption extends Error {
  readonly ended: EarlyEnd;

  constructor(ended: EarlyEnd) {
    super(`the answer was interrupted: ${ended}`);
    this.name = 'Interruption';
    this.ended = ended;
  }
}

/**
 * Why an answer is as it is, for operators: how the message was understood, what was found, what was decided and what
 * the text rests on. It is stored with the answer and deleted with it. Texts are masked like the question, and cut to
 * 200 characters.
 */
export const decisionRecordSchema = z.object({
  understood: z.enum(['skill', 'small talk', 'questions']),
  /** The questions in the message, at most five. */
  questions: z.array(
    z.object({
      asked: z.string(),
      /** The text that found the passages: the question, or how it was completed, rewritten or translated. */
      searched: z.string(),
      /** The score of the best passage, 0 to 1. */
      score: z.number(),
    }),
  ),
  /** The best passages over all questions, best first, at most five. */
  passages: z.array(
    z.object({
      document_id: z.string(),
      chunk_id: z.string(),
      title: z.string(),
      score: z.number(),
      /** Whether the reader read the passage. Absent: it did not. */
      read: z.boolean().optional(),
    }),
  ),
  /**
   * The evidence that the probability of the first passage follows from, so that its weights can be fitted again to answers
   * that people judged. Absent without passages.
   */
  evidence: z.object({ fused: z.number(), meaning: z.number(), lead: z.number() }).optional(),
  /**
   * How the workspace corrected the scores, and the probability of the answer before that (null if it has none). Absent
   * without a correction in use, and if nothing was searched.
   */
  correction: z
    .object({ slope: z.number(), offset: z.number(), probability: z.number().nullable() })
    .optional(),
  /** The audience for which the documents were searched. Absent in records of earlier versions. */
  audience: z.array(z.string()).optional(),
  /** The language model that wrote, and how many failed before it. Absent if none wrote. */
  model: z.object({ name: z.string(), failed: z.int() }).optional(),
  /** The curated answer without text that decided. Absent: none did. */
  curated: z
    .object({ document_id: z.string(), title: z.string(), action: z.enum(['unknown', 'person']) })
    .optional(),
  act: z.enum(['reply', 'quote', 'suggest', 'generate', 'choose skills', 'fall back']),
  because: z.string(),
  confidence: z.enum(['high', 'medium', 'low']),
  /** The reason for the confidence. */
  concluded: z.string(),
});

export type DecisionRecord = z.output<typeof decisionRecordSchema>;
