import { readConfig } from '../../core/config.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { CommonOptions, Work } from './command-line.ts';
import { Output, type Streams } from './output/output.ts';
import { openOperatorApi } from './transports/open-operator-api.ts';

/** What the root of the process imports from other rooms. */
export interface Rooms {
  /** Indexes documents until the returned function is called. */
  readonly startIngest: (runtime: Runtime) => Promise<() => Promise<void>>;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal;
  readonly rooms: Rooms;
}

/** Opens the API, does a command's work, and closes everything again. */
export async function carryOut(
  options: CommonOptions,
  work: Work,
  surroundings: Surroundings,
): Promise<void> {
  const { environment, streams, signal, rooms } = surroundings;
  const output = new Output(streams, { json: options.json === true });
  const config = readConfig(environment);
  const api = await openOperatorApi(config, {
    server: options.server,
    signal,
    startIngest: work.indexing === true ? rooms.startIngest : null,
    onNewToken: (token) =>
      output.note(`The operator's token was made: ${token} (kept in ${config.DATA_DIR}/admin-token)`),
  });
  try {
    signal.throwIfAborted();
    await work.run({ api, output, signal, environment });
  } finally {
    await api.close();
  }
}
