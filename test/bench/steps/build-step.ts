import { z } from 'zod';
import { contenderNames, openContender } from '../contenders/open-contender.ts';
import { openCorpus } from '../corpus/corpus.ts';
import { indexSize } from './index-size.ts';
import { defineStep } from './step.ts';

/** Writes the index of a contender that keeps it on disk. */
export const buildStep = defineStep({
  name: 'build',
  input: z.object({
    contender: z.enum(contenderNames),
    folder: z.string(),
    samplesFile: z.string(),
    size: indexSize,
  }),
  output: z.object({ seconds: z.number() }),
  async run({ contender: name, folder, samplesFile, size }) {
    const contender = await openContender(name);
    const corpus = await openCorpus(samplesFile);
    const startedAt = performance.now();
    await contender.build?.(folder, corpus, size);
    return { seconds: (performance.now() - startedAt) / 1_000 };
  },
});
