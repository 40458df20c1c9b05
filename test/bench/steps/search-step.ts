import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import { contenderNames, openContender } from '../contenders/open-contender.ts';
import { openCorpus } from '../corpus/corpus.ts';
import { timeEach } from '../time-each.ts';
import { indexSize } from './index-size.ts';
import { defineStep } from './step.ts';
import { timed } from './timed.ts';

const warmUp = 200;
const milliseconds = 90_000;

/** Asks a contender question by question; `rss` is of its process alone. */
export const searchStep = defineStep({
  name: 'search',
  input: z.object({
    contender: z.enum(contenderNames),
    folder: z.string(),
    samplesFile: z.string(),
    size: indexSize,
  }),
  output: z.object({ timed, rss: z.number() }),
  async run({ contender: name, folder, samplesFile, size }) {
    const contender = await openContender(name);
    const corpus = await openCorpus(samplesFile);
    const searcher = await contender.open(folder, corpus, size);
    let passages = 0;
    const measured = await timeEach(corpus.questions, { warmUp, milliseconds }, async (question) => {
      passages += await searcher.search(question);
    });
    const { rss } = process.memoryUsage();
    await searcher.close();
    if (passages === 0) throw new BenchError(`${name} found nothing at all`);
    return { timed: measured, rss };
  },
});
