import { truncateText } from '../../base/text.ts';
import { type Answer, type EarlyEnd, roundScore } from '../../contract/answer.ts';
import type { AnswerTrace, TracedSentence } from '../../contract/trace/answer-trace.ts';
import { meaning } from '../../knowledge/ranking/rank-candidates.ts';
import { searchRules } from '../../knowledge/rules.ts';
import { takeInTurn, type UsablePassage } from '../answer.ts';
import type { Basis } from '../decide.ts';
import type { Question } from '../question.ts';
import type { Trail } from '../writing/answer-draft.ts';
import type { TraceRecorder } from './recorder.ts';

const MAX_PASSAGES = 20;
const MAX_TEXT = 200;
const MAX_WRITTEN = 2_000;

interface Traced {
  readonly recorder: TraceRecorder;
  /** As the models read it. */
  readonly question: Question;
  readonly isMasked: boolean;
  /** Null if nothing was decided. */
  readonly trail: Trail | null;
  readonly basis: Basis;
  readonly answer: Answer;
  readonly ended: EarlyEnd | null;
}

/** Returns the trace of an answer: stored, it takes about 1.5 kB, and at most 12 kB, whatever was asked and found. Pure. */
export function toTrace(traced: Traced): AnswerTrace {
  const { recorder, question, isMasked, trail } = traced;
  const { skills: set, tiers } = question;
  return {
    v: 1,
    path: pathOf(traced),
    ms: recorder.ms,
    question: {
      language: set.moment.language,
      audience: [...question.audience],
      verified: set.moment.userId !== null,
      turns: question.earlierTurns.length,
      masked: isMasked,
    },
    readings: recorder.readings.map(({ text, score, ...reading }) => ({
      text: truncateText(text, MAX_TEXT),
      score: roundScore(score),
      ...reading,
    })),
    found: (trail?.parts ?? []).reduce((sum, { found }) => sum + found.ranked.length, 0),
    passages: tracePassages(traced),
    limits: { maybe: tiers.maybe, answer: tiers.answer, high: searchRules.highThreshold },
    attempts: recorder.attempts,
    sentences: withinLimit(recorder.sentences),
    skills: recorder.skills,
    settings: {
      strictness: question.strictness,
      model: question.model,
      skills: set.skills.length,
      corrected: question.correction !== null,
    },
  };
}

function pathOf({ ended, basis, trail }: Traced): AnswerTrace['path'] {
  if (ended !== null) return ended;
  switch (basis.kind) {
    case 'quotes':
      return basis.tier === 'maybe' ? 'maybe' : 'quoted';
    case 'model':
      return 'model';
    case 'reply':
      return trail?.asked.kind === 'reply' && trail.asked.by === 'small talk' ? 'small_talk' : 'skill';
    case 'nothing':
    case 'fallback':
      return 'fallback';
  }
}

function tracePassages({ trail, answer, question: { tiers } }: Traced): AnswerTrace['passages'] {
  if (trail === null) return [];
  const { parts, decision } = trail;
  const best = takeInTurn(
    parts.map(({ found }) => found.ranked),
    ({ chunkId }) => chunkId,
    MAX_PASSAGES,
  );
  const used = new Set(answer.citations.flatMap(({ chunkIds }) => chunkIds));
  const shown = new Set(answer.sources.map(({ chunkId }) => chunkId));
  const given = new Set(decision.act === 'generate' ? decision.passages.map(({ chunkId }) => chunkId) : []);
  const useOf = ({ chunkId, score }: UsablePassage) => {
    if (used.has(chunkId)) return 'used';
    if (shown.has(chunkId)) return 'shown';
    return score >= tiers.answer ? 'cut' : 'below';
  };
  return best
    .toSorted((one, other) => other.score - one.score)
    .map((passage) => ({
      chunk: passage.chunkId,
      document: passage.documentId,
      words: shareOf(passage.parts.bm25),
      coverage: shareOf(passage.parts.coverage),
      meaning: shareOf(meaning(passage.parts)),
      fused: shareOf(passage.parts.fused),
      score: roundScore(passage.score),
      read: passage.unitShares !== undefined || given.has(passage.chunkId),
      use: useOf(passage),
    }));
}

/** Two decimals: they are bars on a screen, and a trace is stored with every answer. */
function shareOf(value: number): number {
  return Math.round(value * 100) / 100;
}

function withinLimit(sentences: readonly TracedSentence[]): TracedSentence[] {
  let room = MAX_WRITTEN;
  return sentences.flatMap(({ text, ...sentence }) => {
    if (room < 2) return [];
    const kept = truncateText(text.trim(), room);
    room -= kept.length;
    return [{ text: kept, ...sentence }];
  });
}
