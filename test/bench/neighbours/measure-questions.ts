import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import questions from '../../../core/demo/questions.json' with { type: 'json' };
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { BenchError } from '../bench-error.ts';
import { adminToken, startInstallation } from '../webhooks/start-installation.ts';

/** The waits of one workspace's questions while another one does something. */
export interface BesideFlood {
  readonly beside: string;
  /** Milliseconds from each question to its answer. */
  readonly replies: readonly number[];
  /** Questions that were not answered with 200. */
  readonly failed: number;
  /** The work that the other workspace got done meanwhile. */
  readonly flooded: string;
}

const helpCentre = resolve(import.meta.dirname, '../../../core/demo/help-centre');
const askingMs = 12_000;
const everyMs = 300;
const questionsAtOnce = 64;
const documents = 60;
const uploadsAtOnce = 20;
const documentCharacters = 400_000;
const keysPerTenant = 40;
const indexingPatienceMs = 120_000;

const workspaceSchema = z.object({ id: z.string() });
const keySchema = z.object({ key: z.string() });
const documentSchema = z.object({ status: z.string() });

interface Tenant {
  readonly id: string;
  readonly key: string;
}

/** Starts an installation with two workspaces; asks in one of them, calm and beside the floods of the other one. */
export async function* measureQuestions(
  environment: Readonly<Record<string, string>>,
): AsyncGenerator<BesideFlood> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const server = await startInstallation({ address, environment, onAllCores: true });
  const client = new Client(address);
  try {
    const [quiet, busy] = [await client.openTenant('Quiet'), await client.openTenant('Busy')];
    await client.untilDashboardIsBuilt();
    // This fills caches and compiles code: the calm figures are of a process that has answered before.
    await client.askFor(quiet, 4_000);
    yield { beside: 'nothing', flooded: '', ...(await client.askFor(quiet, askingMs)) };
    const [answered, besideQuestions] = await beside(client, quiet, (signal) =>
      client.askFlood(busy, signal),
    );
    yield { beside: '64 questions at once', flooded: `${answered} answers`, ...besideQuestions };
    const [uploaded, besideUploads] = await beside(client, quiet, (signal) =>
      client.uploadFlood(busy, signal),
    );
    yield { beside: '60 documents of 400 kB', flooded: `${uploaded} accepted`, ...besideUploads };
  } finally {
    await server.stop();
  }
}

async function beside(
  client: Client,
  quiet: Tenant,
  flood: (signal: AbortSignal) => Promise<number>,
): Promise<readonly [number, Pick<BesideFlood, 'replies' | 'failed'>]> {
  const end = new AbortController();
  const flooding = flood(end.signal);
  await wait(1_500);
  const seen = await client.askFor(quiet, askingMs);
  end.abort();
  return [await flooding, seen];
}

class Client {
  readonly #address: string;
  #asked = 0;

  constructor(address: string) {
    this.#address = address;
  }

  async openTenant(name: string): Promise<Tenant> {
    const { id } = workspaceSchema.parse(
      await this.#admin('/workspaces', { name, owner: `own_${name.toLowerCase()}`, plan: 'enterprise' }),
    );
    const limits = { rate_limit_minute: 1_000, rate_limit_day: 100_000 };
    const keys: string[] = [];
    // One key gets at most fifty answers at a time, and a thousand a minute.
    for (let key = 0; key < keysPerTenant; key += 1) {
      keys.push(
        keySchema.parse(await this.#admin(`/workspaces/${id}/keys`, { name: `k${key}`, ...limits })).key,
      );
    }
    for (const page of await readHelpCentre()) await this.#addDocument(id, page);
    return { id, key: keys.join(' ') };
  }

  /** A first start builds the dashboard in the background, which would take the processor from the calm figures. */
  async untilDashboardIsBuilt(): Promise<void> {
    for (;;) {
      const page = await fetch(`${this.#address}/dashboard`);
      if (!(await page.text()).includes('/assets/reload.js')) return;
      await wait(250);
    }
  }

  /** Asks at a fixed interval, whether the last question was answered or not. */
  async askFor(tenant: Tenant, ms: number): Promise<Pick<BesideFlood, 'replies' | 'failed'>> {
    const asked: Promise<number | null>[] = [];
    const until = performance.now() + ms;
    while (performance.now() < until) {
      asked.push(this.#ask(tenant));
      await wait(everyMs);
    }
    const all = await Promise.all(asked);
    const replies = all.filter((one) => one !== null);
    return { replies, failed: all.length - replies.length };
  }

  /** Keeps 64 questions open until the signal aborts. Returns how many were answered. */
  async askFlood(tenant: Tenant, signal: AbortSignal): Promise<number> {
    let answered = 0;
    const lane = async () => {
      while (!signal.aborted) {
        if ((await this.#ask(tenant)) === null) await wait(50);
        else answered += 1;
      }
    };
    await Promise.all(Array.from({ length: questionsAtOnce }, lane));
    return answered;
  }

  /** Uploads 60 documents, some at a time. Returns how many were accepted; they are indexed meanwhile and afterwards. */
  async uploadFlood({ id }: Tenant, signal: AbortSignal): Promise<number> {
    let next = 0;
    let accepted = 0;
    const lane = async () => {
      while (next < documents && !signal.aborted) {
        next += 1;
        const content = prose(next, documentCharacters);
        const response = await this.#send(`/admin/v1/workspaces/${id}/documents`, adminToken, {
          ...{ title: `Document ${next}`, content, content_type: 'text/plain' },
        });
        await response.arrayBuffer();
        if (response.ok) accepted += 1;
      }
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, lane));
    return accepted;
  }

  /** Returns the milliseconds to the answer; null if there is none. Every question is different, as none is cached. */
  async #ask({ key }: Tenant): Promise<number | null> {
    const keys = key.split(' ');
    this.#asked += 1;
    const began = performance.now();
    const question = questions[this.#asked % questions.length]?.question ?? '';
    const body = { query: `${question} ${this.#asked}` };
    const response = await this.#send('/v1/query', keys[this.#asked % keys.length] ?? '', body);
    await response.arrayBuffer();
    return response.ok ? performance.now() - began : null;
  }

  async #addDocument(workspaceId: string, document: { title: string; content: string }): Promise<void> {
    const path = `/workspaces/${workspaceId}/documents`;
    const { id } = workspaceSchema.parse(
      await this.#admin(path, { ...document, content_type: 'text/plain' }),
    );
    const until = performance.now() + indexingPatienceMs;
    for (;;) {
      const response = await fetch(`${this.#address}/admin/v1${path}/${id}`, {
        headers: { authorization: `Bearer ${adminToken}` },
      });
      if (documentSchema.parse(await response.json()).status === 'indexed') return;
      if (performance.now() > until) throw new BenchError('a document was not indexed in two minutes');
      await wait(100);
    }
  }

  async #admin(path: string, body: object): Promise<unknown> {
    const response = await this.#send(`/admin/v1${path}`, adminToken, body);
    const answer: unknown = await response.json();
    if (!response.ok) throw new BenchError(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  #send(path: string, token: string, body: object): Promise<Response> {
    return fetch(`${this.#address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}

/** The Markdown pages of the demo help centre. */
async function readHelpCentre(): Promise<readonly { readonly title: string; readonly content: string }[]> {
  const names = (await readdir(helpCentre)).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.map(async (title) => ({ title, content: await readFile(join(helpCentre, title), 'utf8') })),
  );
}

const nouns = [
  'parcel',
  'invoice',
  'garden',
  'customer',
  'refund',
  'warehouse',
  'letter',
  'account',
  'battery',
];
const verbs = ['arrives', 'changes', 'returns', 'expires', 'begins', 'closes', 'moves', 'waits'];

/** Sentences that differ from each other, with a paragraph every eight. */
function prose(seed: number, characters: number): string {
  const sentences: string[] = [];
  for (let length = 0, at = 0; length < characters; at += 1) {
    const noun = nouns[(at * 7 + seed) % nouns.length];
    const verb = verbs[(at * 5 + seed) % verbs.length];
    const sentence = `The ${noun} of order ${seed * 10_000 + at} ${verb} after ${at % 31} days.${at % 8 === 7 ? '\n\n' : ' '}`;
    sentences.push(sentence);
    length += sentence.length;
  }
  return sentences.join('');
}
