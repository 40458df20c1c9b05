import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { namedActor } from '../../../core/contract/actor.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import { runSourceWorker } from '../../../workers/sources/worker.ts';
import { type GeneratedSite, generateSites } from '../../helpers/sources/generated-sites/sites.ts';
import { makeFiles } from './files.ts';
import { type KnownQuestion, knownQuestions } from './questions.ts';

const FORM_OF_USE = `Usage: npm run eval -- documents [OPTION]…

Reads eight generated websites (512 pages) by their site maps and 16 files of as many formats into one workspace, asks 50
questions with known answers over HTTP without a language model, and prints which are right, half, wrong and refused.

  --all       prints every question with its answer; by default those that are not right
  --sites N   only the first N websites, for a look
  --pages N   N pages of each website instead of 64, read once
`;

const answerSchema = z.object({ answer: z.string(), tier: z.enum(['answer', 'maybe', 'none']) });
type Answer = z.output<typeof answerSchema>;
const grades = ['right', 'half', 'wrong', 'refused'] as const;

interface Result {
  readonly known: KnownQuestion;
  readonly answer: Answer;
  readonly grade: (typeof grades)[number];
}

/** Asks the known questions. Returns the exit code. */
export async function evaluateDocuments(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(FORM_OF_USE);
    return 0;
  }
  const optionOf = (option: string) => args.find((_, index) => args[index - 1] === option);
  const count = Number(optionOf('--sites') ?? 8);
  const pages = optionOf('--pages');
  const folder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const environment = { ...process.env, DATA_DIR: folder, ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const config = readConfig(environment);
  const runtime = await openRuntime(config, createLog('error'));
  const servers = await Promise.all(
    generateSites(undefined, pages === undefined ? undefined : Number(pages))
      .slice(0, count)
      .map(serveSite),
  );
  const stops = [await runIngestWorker(runtime), await runSourceWorker(runtime)];
  const app = buildApp({ ...runtime, writer: null, complete: null });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    const { workspace } = await runtime.workspaces.create({ name: 'Known', plan: 'enterprise' });
    await addFiles(runtime, workspace.id);
    await addSites(runtime, workspace.id, servers, { isTwice: pages === undefined });
    const limits = { rateLimitMinute: 10_000, rateLimitDay: 1_000_000 };
    const { value: key } = await runtime.apiKeys.create(workspace.id, { name: 'eval', ...limits });
    const results: Result[] = [];
    for (const known of knownQuestions) {
      const answer = await ask(`${address}/v1/query`, key, known.question);
      results.push({ known, answer, grade: gradeAnswer(known, answer) });
    }
    for (const [at, { known, answer, grade }] of results.entries()) {
      if (grade === 'right' && !args.includes('--all')) continue;
      const shown = answer.answer.replace(/\s+/g, ' ').slice(0, 200);
      print(`${at + 1}. ${grade} (${answer.tier}) ${known.place}, ${known.about}: ${known.question}`);
      print(`    ${known.expect.join(' + ') || 'no answer'} <- ${shown}`);
    }
    const tally = grades.map((grade) => `${results.filter((one) => one.grade === grade).length} ${grade}`);
    print(`${results.length} questions: ${tally.join(', ')}`);
    return 0;
  } finally {
    for (const stop of stops) await stop();
    await app.close();
    for (const { server } of servers) server.close();
    await runtime.close();
    rmSync(folder, { recursive: true });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A text that is shown and lacks the fact is wrong, also if it is shown as unsure. */
function gradeAnswer({ expect }: KnownQuestion, { answer, tier }: Answer): (typeof grades)[number] {
  if (tier === 'none') return expect.length === 0 ? 'right' : 'refused';
  const plain = answer.replace(/\s+/g, ' ').toLowerCase();
  const found = expect.filter((part) => plain.includes(part.toLowerCase())).length;
  if (found === 0) return 'wrong';
  return found === expect.length ? 'right' : 'half';
}

async function ask(url: string, key: string, query: string): Promise<Answer> {
  const response = await fetch(url, {
    ...{ method: 'POST', body: JSON.stringify({ query }) },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  return answerSchema.parse(await response.json());
}

interface ServedSite {
  readonly name: string;
  readonly server: Server;
  readonly address: string;
}

async function serveSite({ name, pages }: GeneratedSite): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const path = decodeURI(request.url ?? '/');
    const page = path === '/sitemap.xml' ? sitemap(address, pages) : pages.get(path);
    response.statusCode = page === undefined ? 404 : 200;
    const type = path.endsWith('.xml') ? 'application/xml' : 'text/html; charset=utf-8';
    response.setHeader('content-type', type);
    response.end(page ?? 'There is no such page.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  if (place === null || typeof place === 'string') throw new TypeError('the site has no port');
  const address = `http://127.0.0.1:${place.port}`;
  return { name, server, address };
}

function sitemap(address: string, pages: GeneratedSite['pages']): string {
  return `<urlset>${[...pages.keys()].map((path) => `<url><loc>${address}${path}</loc></url>`).join('')}</urlset>`;
}

async function addFiles({ documents }: Runtime, workspaceId: string): Promise<void> {
  for (const [fileName, bytes] of await makeFiles()) await documents.add({ workspaceId, bytes, fileName });
}

const TELL_MS = 10_000;

/** Reads the sites twice: the pages that were read before the template of their site was known are cut then. */
async function addSites(
  runtime: Runtime,
  workspaceId: string,
  sites: readonly ServedSite[],
  { isTwice }: { readonly isTwice: boolean },
): Promise<void> {
  const actor = namedActor('eval');
  const { sources } = runtime;
  const ids: string[] = [];
  for (const { name, address } of sites) {
    const settings = { url: `${address}/sitemap.xml`, requests_per_second: 20 };
    const fields = {
      name,
      kind: 'website',
      settings,
      credentials: {},
      audience: [],
      include: [],
      exclude: [],
    };
    const plan = { maxItems: 1_000, scheduleMinutes: null, run: true };
    ids.push((await sources.create(workspaceId, { ...fields, ...plan }, actor)).id);
  }
  await untilInStep(runtime, workspaceId, ids);
  if (isTwice) for (const id of ids) await sources.run({ workspaceId, id, actor });
  await untilInStep(runtime, workspaceId, ids);
  const failed = await runtime.database.kysely
    .selectFrom('document')
    .select(['title', 'failure_reason'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'failed')
    .execute();
  for (const { title, failure_reason: reason } of failed) print(`not read: ${title}: ${reason}`);
}

async function untilInStep(
  { sources, database }: Runtime,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    for (let state = '', told = 0; state !== 'in_step'; ) {
      const source = await sources.get(workspaceId, id);
      const { name, left, documents, lastRun } = source;
      state = lastRun?.finishedAt === null ? 'going' : source.state;
      if (state === 'needs_you' || state === 'held') {
        print(`${name}: ${state} ${JSON.stringify(source.troubles)} ${lastRun?.reason}`);
        break;
      }
      if (state !== 'in_step') await wait(500);
      if (performance.now() - told < TELL_MS) continue;
      told = performance.now();
      process.stderr.write(
        `${name}: run ${lastRun?.number} ${state}, ${documents} documents, ${left} left\n`,
      );
    }
  }
  for (let waiting = 1; waiting > 0; ) {
    const rows = await database.kysely
      .selectFrom('document')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('status', 'in', ['queued', 'indexing'])
      .execute();
    waiting = rows.length;
    if (waiting > 0) await wait(500);
  }
}
