import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { startProcess } from './managed-process.ts';
import { policyQuestion } from './policies.ts';
import type { Target } from './target.ts';

const packages = resolve(import.meta.dirname, '../../../node_modules');

interface Chain {
  readonly scripts: string;
  /** The folder for its copy of the script, which finds its packages from there. */
  readonly folder: string;
  readonly providerUrl: string;
  /** Absent: the embedded engine in its own process. */
  readonly databaseUrl?: string | undefined;
}

/** The stated baseline: a LangChain chain with search, rate limit and two inserts, as most teams write it by hand. */
export async function startChain({ scripts, folder, providerUrl, databaseUrl }: Chain): Promise<Target> {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(scripts, 'peers/rag-server.mjs'), join(folder, 'rag-server.mjs'));
  symlinkSync(packages, join(folder, 'node_modules'));
  const port = await freePort();
  const kind = databaseUrl === undefined ? 'pglite' : 'pg';
  const server = await startProcess({
    program: process.execPath,
    args: ['rag-server.mjs'],
    folder,
    environment: {
      ...{ MODE: 'lcel', STORE: kind, PERSIST: kind, PORT: `${port}`, OPENAI: providerUrl },
      ...{ DATADIR: join(folder, 'data'), ...(databaseUrl === undefined ? {} : { PGURL: databaseUrl }) },
    },
    ready: /ready in/,
    core: 0,
  });
  return {
    name: databaseUrl === undefined ? 'LangChain chain, PGlite' : 'LangChain chain, PostgreSQL',
    address: `http://127.0.0.1:${port}`,
    pid: server.pid,
    headers: [],
    body: JSON.stringify({ question: policyQuestion }),
    stop: () => server.stop(),
  };
}
