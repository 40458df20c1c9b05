import { type Share, sumShares, wilson } from './interval.ts';

/**
 * `agrees`, `differs`: it would have been answered, and the answer does or does not say what the agent wrote. `maybe`: a
 * section that may be the answer would have been shown. `none`: no document holds an answer. `no_question`: small talk.
 * `error`: the answer failed.
 */
export const ticketVerdicts = ['agrees', 'differs', 'maybe', 'none', 'no_question', 'error'] as const;
export type TicketVerdict = (typeof ticketVerdicts)[number];

/**
 * The opinion of a person about an answer. `agent_wrong`: the answer is right though the agent wrote something else. `unclear`: it
 * cannot be told, and does not count.
 */
export const ticketJudgements = ['right', 'agent_wrong', 'wrong', 'unclear'] as const;
export type TicketJudgement = (typeof ticketJudgements)[number];

export type VerdictCounts = { readonly [Name in TicketVerdict]: number };
/** How many of a verdict in the sample have a judgement. */
export type JudgementCounts = { readonly [Name in TicketJudgement]: number };

export interface Judged {
  readonly agrees: JudgementCounts;
  readonly differs: JudgementCounts;
}

export interface TicketReport {
  /** First messages that ask something and were tried. */
  readonly questions: number;
  /** The share of questions that would have been answered. */
  readonly answered: Share | null;
  /** The share of questions whose answer agrees with the agent, by the rule. */
  readonly agreesByRule: Share | null;
  /** The share of questions that would have been answered rightly, by the people who judged the sample. */
  readonly rightByHand: Share | null;
  /** The same, of the answered questions. */
  readonly rightOfAnswered: Share | null;
  readonly judged: number;
}

/** Fewer judgements tell nothing. */
export const MIN_JUDGED = 10;

/**
 * Counts an import. The judgements of people about the sample correct the rule's number: the share of right answers among those
 * that the rule calls agreeing, and among those that it calls differing, each with how sure it is. Pure.
 */
export function reportTickets(counts: VerdictCounts, judged: Judged): TicketReport {
  const { agrees, differs, maybe, none } = counts;
  const questions = agrees + differs + maybe + none;
  const answered = agrees + differs;
  const total = countJudged(judged.agrees) + countJudged(judged.differs);
  const byHand = (among: number): Share | null => {
    if (among === 0 || total < Math.min(MIN_JUDGED, answered)) return null;
    return sumShares([
      { weight: agrees / among, of: rightShare(judged.agrees, agrees, 1) },
      { weight: differs / among, of: rightShare(judged.differs, differs, 0) },
    ]);
  };
  return {
    questions,
    answered: questions === 0 ? null : wilson(answered, questions),
    agreesByRule: questions === 0 ? null : wilson(agrees, questions),
    rightByHand: answered === 0 ? null : byHand(questions),
    rightOfAnswered: byHand(answered),
    judged: total,
  };
}

function countJudged({ right, agent_wrong: agentWrong, wrong }: JudgementCounts): number {
  return right + agentWrong + wrong;
}

/** Without a judgement, the rule's own opinion stands, and everything is possible. */
function rightShare(judged: JudgementCounts, of: number, byRule: number): Share {
  const tried = countJudged(judged);
  if (tried === 0) return { share: byRule, low: 0, high: 1 };
  return wilson(judged.right + judged.agent_wrong, tried, of);
}
