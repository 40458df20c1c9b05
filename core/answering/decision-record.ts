import { truncateText } from '../base/text.ts';
import { type DecisionRecord, roundScore } from '../contract/answer.ts';
import { meaning } from '../knowledge/ranking/rank-candidates.ts';
import { type Correction, undoCorrection } from '../workspaces/correction.ts';
import { bestScore, takeInTurn, type UsablePassage } from './answer.ts';
import { conclude, findRule } from './decide.ts';
import type { Question } from './question.ts';
import type { AnswerDraft, Trail } from './writing/answer-draft.ts';

const MAX_TEXT = 200;
const MAX_PASSAGES = 5;

/**
 * Returns the record to store with an answer: under 8,000 characters, whatever was asked and found. `correction` is that of
 * its scores. Pure.
 */
export function toDecisionRecord(
  { asked, parts, decision }: Trail,
  { basis, model }: Pick<AnswerDraft, 'basis' | 'model'>,
  { correction, audience }: Pick<Question, 'correction' | 'audience'>,
): DecisionRecord {
  const { confidence, because, probability } = conclude(parts, basis);
  const passages = takeInTurn(
    parts.map(({ found }) => found.ranked),
    ({ chunkId }) => chunkId,
    MAX_PASSAGES,
  );
  const ranked = passages.toSorted((one, other) => other.score - one.score);
  const [first] = ranked;
  const rule = findRule(parts);
  return {
    understood: asked.kind === 'reply' ? asked.by : 'questions',
    questions: parts.map(({ text, found }) => ({
      asked: shorten(text),
      searched: shorten(found.question.text),
      score: roundScore(bestScore(found)),
    })),
    passages: ranked.map(({ documentId, chunkId, title, score, unitShares }) => ({
      document_id: documentId,
      chunk_id: chunkId,
      title: shorten(title),
      score: roundScore(score),
      ...(unitShares !== undefined && { read: true }),
    })),
    ...(first !== undefined && { evidence: toEvidence(first) }),
    ...(correction !== null && parts.length > 0 && { correction: toCorrection(correction, probability) }),
    audience: [...audience],
    ...(model !== null && { model }),
    ...(rule !== null && {
      curated: { document_id: rule.documentId, title: shorten(rule.title), action: rule.action },
    }),
    act: decision.act,
    because: decision.because,
    confidence,
    concluded: because,
  };
}

function toCorrection(correction: Correction, probability: number | null): DecisionRecord['correction'] {
  const { slope, offset } = correction;
  const before = probability === null ? null : roundScore(undoCorrection(probability, correction));
  return { slope, offset, probability: before };
}

function toEvidence({ parts }: UsablePassage): DecisionRecord['evidence'] {
  return {
    fused: roundScore(parts.fused),
    meaning: roundScore(meaning(parts)),
    lead: roundScore(parts.lead),
  };
}

function shorten(text: string): string {
  return truncateText(text, MAX_TEXT);
}
