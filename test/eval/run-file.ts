import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Observation } from './measures.ts';
import { questionSchema } from './question-set.ts';

/** One question of a run, with the set that it was asked in. */
export interface RunLine {
  readonly set: string;
  readonly observation: Observation;
}

const lineSchema = z.object({
  set: z.string(),
  observation: z.object({
    question: questionSchema,
    retrieved: z.array(z.object({ doc: z.string(), text: z.string() })),
    answer: z.string(),
    confidence: z.string(),
    score: z.number(),
  }),
});

/** Writes a run as one line of JSON for each question. */
export function writeRun(path: string, run: readonly RunLine[]): void {
  writeFileSync(path, run.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Reads what `writeRun` wrote. */
export function readRun(path: string): readonly RunLine[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => lineSchema.parse(JSON.parse(line)));
}
