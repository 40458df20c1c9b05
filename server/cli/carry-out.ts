import { readConfig } from '../../core/config.ts';
import type { CommonOptions, Work } from './command-line.ts';
import { Output, type Streams } from './output/output.ts';
import { openOperatorApi } from './transports/open-operator-api.ts';

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal;
}

/** Opens the API, does a command's work, and closes everything again. */
export async function carryOut(
  options: CommonOptions,
  work: Work,
  surroundings: Surroundings,
): Promise<void> {
  const { environment, streams, signal } = surroundings;
  const output = new Output(streams, { json: options.json === true });
  const config = readConfig(environment);
  const api = await openOperatorApi(config, {
    server: options.server,
    signal,
    indexing: work.indexing === true,
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
