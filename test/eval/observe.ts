import { z } from 'zod';
import { waitUntilIndexed } from '../../core/knowledge/documents/documents.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { buildApp } from '../../server/app.ts';
import { runIngestWorker } from '../../workers/ingest/worker.ts';
import type { Observation } from './measures.ts';
import type { EvalDocument, EvalQuestion, QuestionSet } from './question-set.ts';

const searchResponse = z.object({
  results: z.array(
    z.object({ document_id: z.string(), chunk: z.string(), title: z.string(), score: z.number() }),
  ),
});
const queryResponse = z.object({ answer: z.string(), confidence: z.string() });

type App = ReturnType<typeof buildApp>;

/** Answerers by name: null is the built-in answerer, a string the model of the workspace. */
export type Answerers = Readonly<Record<string, string | null>>;

/**
 * Indexes the documents of a set and asks each answerer its questions, through the product's API with default settings.
 */
export async function observe(
  runtime: Runtime,
  set: QuestionSet,
  answerers: Answerers,
): Promise<Readonly<Record<string, readonly Observation[]>>> {
  const stopIngest = await runIngestWorker(runtime);
  try {
    const { workspace } = await runtime.workspaces.create({ name: set.name, plan: 'enterprise' });
    const { value: key } = await runtime.apiKeys.create(workspace.id, {
      name: 'eval',
      rateLimitMinute: 10_000,
      rateLimitDay: 1_000_000,
    });
    const docOf = await indexAll(runtime, workspace.id, set.documents);
    const observed: Record<string, readonly Observation[]> = {};
    for (const [name, model] of Object.entries(answerers)) {
      await runtime.workspaces.update(workspace.id, { settings: { model } });
      const asking = { runtime, workspaceId: workspace.id, key, docOf };
      const models = model === null ? { writer: null, complete: null } : {};
      observed[name] = await askAll(buildApp({ ...runtime, ...models }), asking, set.questions);
    }
    return observed;
  } finally {
    await stopIngest();
  }
}

async function askAll(
  app: App,
  asking: Asking,
  questions: readonly EvalQuestion[],
): Promise<readonly Observation[]> {
  try {
    const observations: Observation[] = [];
    for (const question of questions) observations.push(await ask(app, asking, question));
    return observations;
  } finally {
    await app.close();
  }
}

async function indexAll(
  { documents }: Runtime,
  workspaceId: string,
  given: readonly EvalDocument[],
): Promise<Map<string, string>> {
  const docOf = new Map<string, string>();
  for (const document of given) {
    const added = await documents.add({
      workspaceId,
      bytes: Buffer.from(document.text),
      title: document.title || undefined,
      fileName: `${document.id.replace(/\.md$/, '')}.${document.format === 'markdown' ? 'md' : 'txt'}`,
      contentType: document.format === 'markdown' ? 'text/markdown' : 'text/plain',
    });
    docOf.set(added.id, document.id);
  }
  for (const documentId of docOf.keys()) {
    const done = await waitUntilIndexed(documents, { workspaceId, documentId });
    if (done.status !== 'indexed')
      process.stderr.write(`${docOf.get(documentId)}: ${done.failure?.reason}\n`);
  }
  return docOf;
}

interface Asking {
  readonly runtime: Runtime;
  readonly workspaceId: string;
  readonly key: string;
  /** Document ids of the set by document ids of the product. */
  readonly docOf: ReadonlyMap<string, string>;
}

async function ask(app: App, asking: Asking, question: EvalQuestion): Promise<Observation> {
  const searchReply = await app.inject({
    method: 'POST',
    url: `/admin/v1/workspaces/${asking.workspaceId}/search`,
    headers: { authorization: `Bearer ${asking.runtime.installation.adminToken}` },
    payload: { query: question.question, top_k: 10 },
  });
  const queryReply = await app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: { authorization: `Bearer ${asking.key}` },
    payload: { query: question.question },
  });
  const { results } = searchResponse.parse(searchReply.json());
  const { answer, confidence } = queryResponse.parse(queryReply.json());
  const retrieved = results.map((result) => ({
    doc: asking.docOf.get(result.document_id) ?? '',
    text: `${result.title}\n${result.chunk}`,
  }));
  return { question, retrieved, answer, confidence, score: results[0]?.score ?? 0 };
}
