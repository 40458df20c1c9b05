import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { waitUntilIndexed } from '../../../core/knowledge/documents/documents.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import {
  type EverydayMessage,
  type EverydaySet,
  isRight,
  type Reply,
  readEverydaySets,
} from './everyday-set.ts';

const usage = `Usage: npm run eval -- everyday FOLDER [OPTION]…

Asks the messages of every NAME.questions.jsonl about NAME.docs.jsonl through the product's API, without a model, and
prints the shares of right and wrong answers in both tiers, and how often an answer with a given probability is right.

  --only NAME     sets whose name contains NAME; may be repeated
  --kinds         one row for each kind of message as well
  --details FILE  writes the reply to each message
  --rule NAME=VALUE  sets a rule to another value; may be repeated
  --no-reader     without the reader
`;

const responseSchema = z.object({
  answer: z.string(),
  tier: z.enum(['answer', 'maybe', 'none']),
  probability: z.number().nullable(),
});

/** Measures answers to messages in everyday wording. Returns the exit code. */
export async function evaluateEveryday(args: readonly string[]): Promise<number> {
  const [folder] = args;
  if (folder === undefined || folder.startsWith('-')) {
    process.stdout.write(usage);
    return folder === '--help' ? 0 : 2;
  }
  const valuesOf = (option: string) => args.filter((_, index) => args[index - 1] === option);
  const dataFolder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const reader = args.includes('--no-reader') ? { READER: 'off' } : {};
  const runtime = await openRuntime(
    readConfig({ ...process.env, ...reader, DATA_DIR: dataFolder }),
    createLog('warn'),
  );
  const all: string[] = [];
  try {
    print(columns.map(([name, width]) => name.padEnd(width)).join(' '));
    for (const set of readEverydaySets(folder, valuesOf('--only'))) {
      const replies = await askAll(runtime, set);
      print(row(set.name, replies));
      if (args.includes('--kinds'))
        for (const [kind, some] of Map.groupBy(replies, ({ message }) => message.kind))
          print(row(`  ${kind}`, some));
      print(reliability(replies));
      all.push(
        ...replies.map((reply) => `${JSON.stringify({ set: set.name, right: isRight(reply), ...reply })}\n`),
      );
    }
    const [details] = valuesOf('--details');
    if (details !== undefined) writeFileSync(details, all.join(''));
    return 0;
  } finally {
    await runtime.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function askAll(runtime: Runtime, set: EverydaySet): Promise<readonly Reply[]> {
  const stopIngest = await runIngestWorker(runtime);
  const app = buildApp({ ...runtime, writer: null, complete: null });
  try {
    const { workspace } = await runtime.workspaces.create({ name: set.name, plan: 'enterprise' });
    const limits = { rateLimitMinute: 10_000, rateLimitDay: 1_000_000 };
    const { value: key } = await runtime.apiKeys.create(workspace.id, { name: 'eval', ...limits });
    const ids: string[] = [];
    for (const { id, title, text } of set.documents) {
      const given = { workspaceId: workspace.id, bytes: Buffer.from(text), contentType: 'text/markdown' };
      ids.push((await runtime.documents.add({ ...given, title, fileName: `${id}.md` })).id);
    }
    for (const documentId of ids)
      await waitUntilIndexed(runtime.documents, { workspaceId: workspace.id, documentId });
    const replies: Reply[] = [];
    for (const message of set.messages) replies.push(await ask(app, key, message));
    return replies;
  } finally {
    await app.close();
    await stopIngest();
  }
}

async function ask(app: ReturnType<typeof buildApp>, key: string, message: EverydayMessage): Promise<Reply> {
  const reply = await app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: { authorization: `Bearer ${key}` },
    payload: { query: message.message },
  });
  return { message, ...responseSchema.parse(reply.json()) };
}

const columns = [
  ['set', 20],
  ['n', 5],
  ['right', 7],
  ['wrong', 7],
  ['maybe-right', 11],
  ['maybe-wrong', 11],
  ['refused', 7],
  ['off-topic', 9],
  ['near-miss', 9],
  ['chars', 5],
] as const;

/** Shares of the answerable messages; then off-topic messages and near-misses that were answered, with and without maybe. */
function row(name: string, replies: readonly Reply[]): string {
  const answerable = replies.filter(({ message }) => !message.refuse);
  const count = (holds: (reply: Reply) => boolean) =>
    answerable.length === 0 ? '' : (answerable.filter(holds).length / answerable.length).toFixed(3);
  const answered = (kind: string) => {
    const some = replies.filter(({ message }) => message.refuse && message.kind === kind);
    const shown = (tier: Reply['tier']) => some.filter((reply) => reply.tier === tier).length;
    return `${shown('answer')}+${shown('maybe')}/${some.length}`;
  };
  const texts = answerable.filter(({ tier }) => tier !== 'none').map(({ answer }) => answer.length);
  const cells = [
    name,
    answerable.length,
    count((reply) => reply.tier === 'answer' && isRight(reply)),
    count((reply) => reply.tier === 'answer' && !isRight(reply)),
    count((reply) => reply.tier === 'maybe' && isRight(reply)),
    count((reply) => reply.tier === 'maybe' && !isRight(reply)),
    count(({ tier }) => tier === 'none'),
    answered('offtopic'),
    answered('nearmiss'),
    Math.round(texts.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)),
  ];
  return cells.map((cell, index) => String(cell).padEnd(columns[index]?.[1] ?? 0)).join(' ');
}

const BINS = [0, 0.2, 0.4, 0.6, 0.8, 1.01];

/** In five bins of the probability: its mean, the share of right answers, and the number of answers. */
function reliability(replies: readonly Reply[]): string {
  const shown = replies.filter(({ tier, probability }) => tier !== 'none' && probability !== null);
  const bins = BINS.slice(1).map((to, index) => {
    const some = shown.filter(({ probability }) => {
      const value = probability ?? 0;
      return value >= (BINS[index] ?? 0) && value < to;
    });
    const mean = some.reduce((sum, { probability }) => sum + (probability ?? 0), 0) / some.length;
    const right = some.filter(isRight).length / some.length;
    return some.length === 0 ? '-' : `${mean.toFixed(2)}→${right.toFixed(2)} (${some.length})`;
  });
  return `  reliability: ${bins.join('  ')}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
