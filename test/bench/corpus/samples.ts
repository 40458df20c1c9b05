import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const vector = z.array(z.number());

const samplesSchema = z.object({
  /** The pages are read once, because the readers of PDF and HTML must not count as measured memory. */
  pages: z.array(z.object({ title: z.string(), sentences: z.array(z.string()) })),
  /** Each with its real vector. */
  questions: z.array(z.object({ text: z.string(), vector })),
  /** Real vectors of some chunks, with the page each chunk is from. */
  passages: z.array(z.object({ page: z.number(), vector })),
});

/** The samples that were really embedded, once for all processes of a run. */
export type Samples = z.output<typeof samplesSchema>;

export async function writeSamples(file: string, samples: Samples): Promise<void> {
  await writeFile(file, JSON.stringify(samples));
}

export async function readSamples(file: string): Promise<Samples> {
  return samplesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
