import { type Answer, type Confidence, type Source, type Tier, tierOf } from '../contract/answer.ts';
import type { CuratedRule } from '../knowledge/curated/curated-marks.ts';
import { searchRules } from '../knowledge/rules.ts';
import { bestScore, takeInTurn, type UsablePassage } from './answer.ts';
import type { Asked, FoundPart, SkillFinding } from './asked.ts';
import type { Question } from './question.ts';
import { answerRules } from './rules.ts';

/** The next step for a message, and the reason in one sentence for operators. */
export type Decision = { readonly because: string } & (
  | { readonly act: 'reply'; readonly text: string }
  | { readonly act: 'quote' }
  /** Shows what may be the answer, and says so. */
  | { readonly act: 'suggest' }
  | {
      readonly act: 'generate';
      /** The passages that the model reads. */
      readonly passages: readonly UsablePassage[];
      readonly findings: readonly SkillFinding[];
      /** Whether the model may request a skill instead of answering. */
      readonly mayAct: boolean;
    }
  | { readonly act: 'choose skills' }
  | {
      readonly act: 'fall back';
      /** Whether a curated answer calls a person for the question. */
      readonly callsPerson?: boolean;
    }
);

interface Facts {
  readonly question: Pick<Question, 'topK' | 'strictness' | 'skills' | 'searches' | 'tiers'>;
  readonly asked: Asked;
  /** The questions with the passages found for them. */
  readonly parts: readonly FoundPart[];
  /** Whether a model writes; otherwise sentences are quoted. */
  readonly hasWriter: boolean;
}

/** Decides what is done about a message. Pure. */
export function decide({ question, asked, parts, hasWriter }: Facts): Decision {
  if (asked.kind === 'reply') {
    const because = `The message is ${asked.by === 'skill' ? 'a request to a skill' : 'small talk'}.`;
    return { act: 'reply', text: asked.text, because };
  }
  const rule = findRule(parts);
  // A model reads the whole message, so a part that must not be answered leaves none to it.
  if (rule !== null && (hasWriter || parts.every(({ found }) => found.rule != null))) return followRule(rule);
  const best = bestOf(parts.filter(({ found }) => found.rule == null));
  const scored = `The best passage scores ${best.toFixed(2)}`;
  if (!hasWriter) {
    const { tiers } = question;
    switch (tierOf(best, tiers)) {
      case 'answer':
        return { act: 'quote', because: `${scored} of at least ${tiers.answer}.` };
      case 'maybe':
        return { act: 'suggest', because: `${scored}: at least ${tiers.maybe}, but below ${tiers.answer}.` };
      case 'none':
        return {
          act: 'fall back',
          because: missing(question, `${scored} of at least ${tiers.maybe} needed.`),
        };
    }
  }
  const { findings } = asked;
  const passages = passagesToRead(parts, question.topK);
  const mayAct = findings.length === 0 && question.skills.skills.length > 0;
  if (findings.length > 0)
    return { act: 'generate', passages, findings, mayAct, because: 'The model words what skills found.' };
  if (passages.length > 0) {
    const because = `${scored}: the model reads ${passages.length}.`;
    return { act: 'generate', passages, findings, mayAct, because };
  }
  if (question.strictness === 'fallback') {
    const because = 'No passage was found, and the model may answer from general knowledge.';
    return { act: 'generate', passages, findings, mayAct, because };
  }
  const none = missing(question, 'No passage was found.');
  return mayAct
    ? { act: 'choose skills', because: `${none} The visitor may ask for an action.` }
    : { act: 'fall back', because: none };
}

/** Returns the curated answer without text that one of the questions found. One that calls a person comes first. */
export function findRule(parts: readonly FoundPart[]): CuratedRule | null {
  const rules = parts.flatMap(({ found }) => found.rule ?? []);
  return rules.find(({ action }) => action === 'person') ?? rules[0] ?? null;
}

function followRule({ title, action, score }: CuratedRule): Decision {
  const callsPerson = action === 'person';
  const wish = callsPerson ? 'calls a person' : 'says that this is not answered';
  return {
    act: 'fall back',
    callsPerson,
    because: `The curated answer “${title}” scores ${score.toFixed(2)} and ${wish}.`,
  };
}

function missing({ searches }: Facts['question'], because: string): string {
  return searches ? because : 'The workspace does not search its documents.';
}

/** Returns the passages that a model reads: the best for each question and each compared thing, while they fit. */
function passagesToRead(parts: readonly FoundPart[], topK: number): readonly UsablePassage[] {
  const lists = parts.flatMap(({ found, compared }) => [found, ...compared]).map(({ ranked }) => ranked);
  let room = answerRules.readCharacters;
  return takeInTurn(lists, ({ chunkId }) => chunkId, topK).filter(({ body }, index) => {
    const isRead = index === 0 || body.length <= room;
    if (isRead) room -= body.length;
    return isRead;
  });
}

function bestOf(parts: readonly FoundPart[]): number {
  return Math.max(0, ...parts.map(({ found }) => bestScore(found)));
}

/** The grounds of an answer's text. */
export type Basis =
  | { readonly kind: 'nothing' }
  /** The text of a skill or of small talk. */
  | { readonly kind: 'reply' }
  | {
      readonly kind: 'quotes';
      readonly sources: readonly Source[];
      readonly tier: Tier;
      /** The units that answer, for channels without room for more. */
      readonly lead: string | null;
      /** The best score for each answered question. */
      readonly scores: readonly number[];
    }
  | { readonly kind: 'model'; readonly sources: readonly Source[]; readonly support: Support }
  | { readonly kind: 'fallback'; readonly sources: readonly Source[] };

/**
 * How the passages or findings support a model's text: `open` while it writes, `cited` if it named what supports it,
 * `uncited` if its words alone show that, `trimmed` if sentences without support were left out.
 */
export type Support = 'open' | 'cited' | 'uncited' | 'trimmed' | 'none';

/** The facts about an answer apart from its text, with the reason for the confidence in one sentence for operators. */
interface Conclusion extends Omit<Answer, 'text' | 'citations' | 'tokensUsed' | 'skillsFired'> {
  readonly because: string;
}

/** Concludes from what the text rests on, also of an answer that was interrupted. Pure. */
export function conclude(parts: readonly FoundPart[], basis: Basis): Conclusion {
  const score = bestOf(parts);
  const found = {
    ...{ score, sources: [], probability: null, lead: null },
    isGenerated: basis.kind === 'model',
    isQuoted: basis.kind === 'quotes',
  };
  switch (basis.kind) {
    case 'nothing':
      return { ...found, tier: 'none', confidence: 'low', because: 'Nothing was written.' };
    case 'reply': {
      const because = 'The text does not come from documents.';
      return { ...found, tier: 'answer', confidence: 'high', because };
    }
    case 'quotes': {
      const { sources, scores, tier, lead } = basis;
      const probability = scores.length === 0 ? 0 : Math.min(...scores);
      const because = `Each answered question has a section with at least ${probability.toFixed(2)}.`;
      const confidence = tier === 'maybe' ? 'low' : confidenceForScore(probability);
      return {
        ...found,
        score: Math.max(0, ...scores),
        sources,
        tier,
        lead,
        probability,
        confidence,
        because,
      };
    }
    case 'model': {
      const tier = basis.support === 'none' ? 'none' : 'answer';
      return { ...found, sources: basis.sources, tier, ...judgeSupport(basis.support, score) };
    }
    case 'fallback':
      return {
        ...found,
        ...{ sources: basis.sources, tier: 'none', probability: score, confidence: 'low' },
        because: 'No answer was found.',
      };
  }
}

function judgeSupport(support: Support, score: number): { confidence: Confidence; because: string } {
  const byScore = confidenceForScore(score);
  const best = `the best score, ${score.toFixed(2)}, decides`;
  switch (support) {
    case 'open':
      return { confidence: byScore, because: `The text is incomplete: ${best}.` };
    case 'uncited':
      return { confidence: byScore, because: `The model named no passages for its text: ${best}.` };
    case 'cited':
      return { confidence: 'high', because: 'All sentences are supported by what the model names.' };
    case 'trimmed':
      return { confidence: 'medium', because: 'Sentences that no passage supports were left out.' };
    case 'none':
      return { confidence: 'low', because: 'No passage supports the text.' };
  }
}

/** Returns the confidence of an answer that is shown as one. */
function confidenceForScore(score: number): Confidence {
  return score >= searchRules.highThreshold ? 'high' : 'medium';
}
