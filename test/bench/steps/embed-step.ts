import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { openEmbedder } from '../../../core/knowledge/embedding/open-embedder.ts';
import { indexedText } from '../../../core/knowledge/passage.ts';
import { makeChunk } from '../corpus/make-chunk.ts';
import { makeQuestions } from '../corpus/make-questions.ts';
import { readPages } from '../corpus/read-pages.ts';
import { writeSamples } from '../corpus/samples.ts';
import { defineStep } from './step.ts';

const questionCount = 400;
const passageCount = 300;

/** Embeds the questions and some chunks for all other steps. */
export const embedStep = defineStep({
  name: 'embed',
  input: z.object({ samplesFile: z.string() }),
  output: z.object({}),
  async run({ samplesFile }) {
    const pages = await readPages();
    const embedder = await openEmbedder({ log: createLog('warn') });
    try {
      const texts = await makeQuestions(pages, questionCount);
      const vectors = await Promise.all(texts.map((text) => embedder.embedQuery(text)));
      const chunks = Array.from({ length: passageCount }, (_, index) => makeChunk(pages, index));
      const passages = await embedder.embedPassages(
        chunks.map(({ title, body }) => indexedText(title, [], body)),
      );
      await writeSamples(samplesFile, {
        pages: pages.map(({ title, sentences }) => ({ title, sentences: [...sentences] })),
        questions: texts.map((text, index) => ({ text, vector: [...(vectors[index] ?? [])] })),
        passages: chunks.map(({ page }, index) => ({ page, vector: [...(passages[index] ?? [])] })),
      });
      return {};
    } finally {
      await embedder.close();
    }
  },
});
