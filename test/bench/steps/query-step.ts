import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { readSamples } from '../corpus/samples.ts';
import { largeWorkspace } from '../fill/fill-database.ts';
import { engineNames } from '../read-options.ts';
import { type Timed, timeEach } from '../time-each.ts';
import { openVisitor } from './open-visitor.ts';
import { defineStep } from './step.ts';
import { timed } from './timed.ts';

const patience = { warmUp: 100, milliseconds: 90_000 };

/** Measures from questions to extractive answers, with everything that a request passes through except the socket. */
export const queryStep = defineStep({
  name: 'query',
  input: z.object({ folder: z.string(), engine: z.enum(engineNames), samplesFile: z.string() }),
  output: z.object({
    engine: z.string(),
    queries: timed,
    /** The same without the reader; null if the engine has none. */
    unread: timed.nullable(),
    /** The time of embedding a question alone. */
    embedding: timed,
    rss: z.number(),
  }),
  async run({ folder, engine, samplesFile }) {
    const { questions } = await readSamples(samplesFile);
    const texts = questions.map(({ text }) => text);
    const config = readConfig({ DATA_DIR: folder, EMBEDDING_ENGINE: engine, LOG_LEVEL: 'warn' });
    const runtime = await openRuntime(config, createLog(config.LOG_LEVEL));
    const app = buildApp(runtime);
    try {
      const workspaces = await runtime.workspaces.list({ limit: 100 });
      const workspace = workspaces.items.find(({ name }) => name === largeWorkspace);
      const workspaceId = workspace?.id ?? '';
      const ask = await openVisitor(app, runtime, workspaceId);
      const queries = await timeEach(texts, patience, ask);
      const { rss } = process.memoryUsage();
      const unread = runtime.passageReader === null ? null : await timeUnread(runtime, workspaceId, texts);
      // The words differ from those of the questions, or the embedder would remember them.
      const others = texts.map((text) => `So ${text}`);
      const embedding = await timeEach(others, patience, (text) => runtime.embedder.embedQuery(text));
      return { engine: runtime.embedder.engine, queries, unread, embedding, rss };
    } finally {
      await app.close();
      await runtime.close();
    }
  },
});

async function timeUnread(runtime: Runtime, workspaceId: string, texts: readonly string[]): Promise<Timed> {
  const app = buildApp({ ...runtime, passageReader: null });
  try {
    return await timeEach(texts, patience, await openVisitor(app, runtime, workspaceId));
  } finally {
    await app.close();
  }
}
