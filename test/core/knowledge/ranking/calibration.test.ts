import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import calibration from '../../../../core/knowledge/ranking/calibration.json' with { type: 'json' };
import { answerProbability } from '../../../../core/knowledge/ranking/rank-candidates.ts';
import { measureReliability } from '../../../eval/calibrate/reliability.ts';

const evidenceSchema = z.record(
  z.string(),
  z.array(z.object({ fused: z.number(), meaning: z.number(), lead: z.number(), isRight: z.boolean() })),
);
const file = new URL('../../../fixtures/calibration-evidence.json', import.meta.url);
const evidence = evidenceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const judged = Object.values(evidence)
  .flat()
  .map((one) => ({ probability: answerProbability(one), isRight: one.isRight }));

describe('a probability means what it says', () => {
  test('over several sets of documents, in each of five ranges', () => {
    expect(Object.keys(evidence).length).toBeGreaterThanOrEqual(5);
    for (const { from, predicted, right, count } of measureReliability(judged)) {
      expect(count, `from ${from}`).toBeGreaterThanOrEqual(25);
      expect(Math.abs(predicted - right), `from ${from}`).toBeLessThanOrEqual(0.1);
    }
  });

  test('as the table beside the weights says', () => {
    expect(measureReliability(judged)).toEqual(calibration.reliability);
  });
});
