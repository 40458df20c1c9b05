import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import { type Corpus, openCorpus } from '../corpus/corpus.ts';
import { engineNames } from '../read-options.ts';
import { timeEach } from '../time-each.ts';
import { addDocuments } from './add-documents.ts';
import { askUntil } from './ask-until.ts';
import { openVisitor } from './open-visitor.ts';
import { defineStep } from './step.ts';

const output = z.object({
  engine: z.string(),
  chunks: z.number(),
  charactersPerChunk: z.number(),
  seconds: z.number(),
  /** Chunks a second if they are embedded and nothing else is done. */
  embeddingRate: z.number(),
  /** Milliseconds that the event loop came late, beyond its own tick. */
  loop: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  /** Milliseconds of queries without other work, and while documents came in. */
  idleQueries: z.array(z.number()),
  queries: z.array(z.number()),
  rss: z.number(),
});

/** The interval at which the event loop is checked, in milliseconds: part of what Node counts as delay. */
const resolution = 10;
const idleQuestions = 50;
const embeddedAlone = 0.2;

/** Measures documents from their upload to being found, while a visitor of another workspace keeps asking. */
export const ingestStep = defineStep({
  name: 'ingest',
  input: z.object({
    folder: z.string(),
    engine: z.enum(engineNames),
    chunks: z.number(),
    samplesFile: z.string(),
  }),
  output,
  async run({ folder, engine, chunks, samplesFile }) {
    const corpus = await openCorpus(samplesFile);
    const config = readConfig({ DATA_DIR: folder, EMBEDDING_ENGINE: engine, LOG_LEVEL: 'warn' });
    const runtime = await openRuntime(config, createLog(config.LOG_LEVEL));
    const app = buildApp(runtime);
    const stopIngest = await runIngestWorker(runtime);
    try {
      return await measure({ runtime, app, corpus }, chunks);
    } finally {
      await stopIngest();
      await app.close();
      await runtime.close();
    }
  },
});

interface Measuring {
  readonly runtime: Runtime;
  readonly app: ReturnType<typeof buildApp>;
  readonly corpus: Corpus;
}

async function measure(
  { runtime, app, corpus }: Measuring,
  chunks: number,
): Promise<z.output<typeof output>> {
  const { workspace: asked } = await runtime.workspaces.create({ name: 'asked', plan: 'enterprise' });
  const { workspace: filled } = await runtime.workspaces.create({ name: 'filled', plan: 'enterprise' });
  const ask = await openVisitor(app, runtime, asked.id);
  await addDocuments(runtime, corpus, { workspaceId: asked.id, first: 2 * chunks, chunks: 100 });
  const texts = corpus.questions.map(({ text }) => text);
  const idle = texts.splice(0, 2 * idleQuestions);
  const { times: idleQueries } = await timeEach(idle, { warmUp: idleQuestions, milliseconds: 20_000 }, ask);
  const embeddingRate = await rateOfEmbedding(
    { runtime, corpus },
    { first: chunks, count: chunks * embeddedAlone },
  );
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const startedAt = performance.now();
  const adding = addDocuments(runtime, corpus, { workspaceId: filled.id, first: 0, chunks });
  const [added, queries] = await Promise.all([adding, askUntil(adding, texts, ask)]);
  const seconds = (added.finishedAt - startedAt) / 1_000;
  delay.disable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
  return {
    engine: runtime.embedder.engine,
    chunks: added.chunks,
    charactersPerChunk: added.characters / added.chunks,
    seconds,
    embeddingRate,
    loop: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
    idleQueries,
    queries,
    rss: process.memoryUsage().rss,
  };
}

async function rateOfEmbedding(
  { runtime, corpus }: Pick<Measuring, 'runtime' | 'corpus'>,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<number> {
  const texts = Array.from({ length: Math.ceil(count) }, (_, index) => corpus.chunk(first + index).body);
  const startedAt = performance.now();
  await runtime.embedder.embedPassages(texts);
  return (1_000 * texts.length) / (performance.now() - startedAt);
}
