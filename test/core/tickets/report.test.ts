import { describe, expect, test } from 'vitest';
import { wilson } from '../../../core/tickets/interval.ts';
import { reportTickets } from '../../../core/tickets/report.ts';

const nothing = { right: 0, agent_wrong: 0, wrong: 0, unclear: 0 };
const counts = { agrees: 400, differs: 100, maybe: 100, none: 400, no_question: 50, error: 7 };

describe('a share', () => {
  test('has the interval of Wilson', () => {
    const { low, high } = wilson(8, 10);
    expect([low, high]).toEqual([expect.closeTo(0.4902, 3), expect.closeTo(0.9433, 3)]);
    expect(wilson(0, 0)).toEqual({ share: 0.5, low: 0, high: 1 });
  });

  test('of all that there are is sure, and of most of them nearly', () => {
    expect(wilson(3, 4, 4)).toEqual({ share: 0.75, low: 0.75, high: 0.75 });
    const few = wilson(75, 100, 10_000);
    const most = wilson(75, 100, 110);
    expect(most.high - most.low).toBeLessThan((few.high - few.low) / 2);
  });
});

describe('the report', () => {
  test('counts questions only, and knows nothing by hand before ten are judged', () => {
    const report = reportTickets(counts, { agrees: { ...nothing, right: 9 }, differs: nothing });
    expect(report).toMatchObject({ questions: 1_000, judged: 9, rightByHand: null });
    expect([report.answered?.share, report.agreesByRule?.share]).toEqual([0.5, 0.4]);
  });

  test('is corrected by the judgements of both verdicts, and its interval holds the truth', () => {
    const judged = {
      agrees: { right: 47, agent_wrong: 0, wrong: 3, unclear: 2 },
      differs: { right: 0, agent_wrong: 16, wrong: 34, unclear: 0 },
    };
    const { rightByHand, rightOfAnswered } = reportTickets(counts, judged);
    expect(rightByHand?.share).toBeCloseTo(0.4 * 0.94 + 0.1 * 0.32, 6);
    expect(rightOfAnswered?.share).toBeCloseTo((0.4 * 0.94 + 0.1 * 0.32) / 0.5, 6);
    expect(rightByHand?.low).toBeGreaterThan(0.36);
    expect(rightByHand?.high).toBeLessThan(0.44);
  });

  test('95 of 100 intervals hold the true share', () => {
    // The generator has a fixed seed, so that each run draws the same samples.
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    const truth = 0.4 * 0.9 + 0.1 * 0.3;
    const draw = (share: number) => {
      const right = Array.from({ length: 50 }, random).filter((value) => value < share).length;
      return { ...nothing, right, wrong: 50 - right };
    };
    const held = Array.from({ length: 500 }, () =>
      reportTickets(counts, { agrees: draw(0.9), differs: draw(0.3) }),
    ).filter(({ rightByHand: by }) => by !== null && by.low <= truth && truth <= by.high);
    expect(held.length / 500).toBeGreaterThan(0.92);
  });

  test('of an import without an answer is empty', () => {
    const none = { agrees: 0, differs: 0, maybe: 0, none: 0, no_question: 3, error: 0 };
    expect(reportTickets(none, { agrees: nothing, differs: nothing })).toEqual({
      ...{ questions: 0, answered: null, agreesByRule: null },
      ...{ rightByHand: null, rightOfAnswered: null, judged: 0 },
    });
  });
});
