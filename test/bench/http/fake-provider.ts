import { join } from 'node:path';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { type ManagedProcess, startProcess } from './managed-process.ts';

export interface FakeProvider extends ManagedProcess {
  /** The address with `/v1`, as clients of OpenAI expect it. */
  readonly baseUrl: string;
}

export interface Pace {
  readonly tokens: number;
  /** Milliseconds from one token to the next. */
  readonly spacing: number;
}

/** A language model and an embedding model that cost nothing, on the core of the load. */
export async function startFakeProvider(scripts: string, { tokens, spacing }: Pace): Promise<FakeProvider> {
  const port = await freePort();
  const provider = await startProcess({
    program: process.execPath,
    args: [
      join(scripts, 'fake-openai.mjs'),
      ...['--port', `${port}`, '--tokens', `${tokens}`, '--spacing', `${spacing}`],
    ],
    ready: /fake-openai on/,
    core: 1,
  });
  return { ...provider, baseUrl: `http://127.0.0.1:${port}/v1` };
}
