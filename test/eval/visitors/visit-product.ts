import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { waitUntilIndexed } from '../../../core/knowledge/documents/documents.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import type { Visit, VisitorMessage } from './visitor-message.ts';

const responseSchema = z.object({
  answer: z.string(),
  confidence: z.string(),
  conversation_id: z.string(),
  sources: z.array(z.object({ title: z.string(), chunk: z.string() })),
});

export interface VisitorSet {
  readonly name: string;
  /** A folder with documents. */
  readonly documents: string;
  readonly messages: readonly VisitorMessage[];
}

/**
 * Indexes the documents of a set and asks each answerer (null: without a model) its messages through the product's API,
 * each in a conversation of its own.
 */
export async function visitProduct(
  runtime: Runtime,
  set: VisitorSet,
  answerers: Readonly<Record<string, string | null>>,
): Promise<Readonly<Record<string, readonly Visit[]>>> {
  const stopIngest = await runIngestWorker(runtime);
  try {
    const { workspace } = await runtime.workspaces.create({ name: set.name, plan: 'enterprise' });
    const limits = { rateLimitMinute: 10_000, rateLimitDay: 1_000_000 };
    const { value: key } = await runtime.apiKeys.create(workspace.id, { name: 'eval', ...limits });
    await indexFolder(runtime, workspace.id, set.documents);
    const visits: Record<string, readonly Visit[]> = {};
    for (const [name, model] of Object.entries(answerers)) {
      await runtime.workspaces.update(workspace.id, { settings: { model } });
      const app = buildApp({ ...runtime, ...(model === null ? { writer: null, complete: null } : {}) });
      const visited: Visit[] = [];
      for (const message of set.messages) visited.push(await visit(app, key, message));
      await app.close();
      visits[name] = visited;
    }
    return visits;
  } finally {
    await stopIngest();
  }
}

async function indexFolder({ documents }: Runtime, workspaceId: string, folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const ids: string[] = [];
  for (const { parentPath, name } of entries) {
    const bytes = readFileSync(join(parentPath, name));
    ids.push((await documents.add({ workspaceId, bytes, fileName: name })).id);
  }
  for (const documentId of ids) {
    const done = await waitUntilIndexed(documents, { workspaceId, documentId });
    if (done.status !== 'indexed') process.stderr.write(`${done.title}: ${done.failure?.reason}\n`);
  }
}

async function visit(app: ReturnType<typeof buildApp>, key: string, message: VisitorMessage): Promise<Visit> {
  const say = async (query: string, conversationId: string | undefined) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}` },
      payload: { query, conversation_id: conversationId },
    });
    return responseSchema.parse(reply.json());
  };
  let conversationId: string | undefined;
  for (const turn of message.turns) conversationId = (await say(turn, conversationId)).conversation_id;
  const { answer, confidence, sources } = await say(message.message, conversationId);
  return { message, answer, confidence, sources: sources.map(({ title, chunk }) => `${title}\n${chunk}`) };
}
