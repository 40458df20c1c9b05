import { runInBackground } from './async.ts';
import { readConfig } from './config.ts';
import { announceStart } from './demo/announce-start.ts';
import { noEmbedder } from './knowledge/embedding/no-embedder.ts';
import { loadConnectors } from './load-connectors.ts';
import { isServiceName, loadService } from './load-service.ts';
import { createLog } from './log.ts';
import { needsEmbedder } from './needs-embedder.ts';
import { openRuntime } from './runtime.ts';
import type { Service } from './service.ts';
import { StartError } from './start-error.ts';
import { isDatabaseFault } from './storage/is-database-fault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Starts the services named, or some workers only, in this process, which ends when they cannot start. */
export async function startServices(names: readonly string[], environment: Environment): Promise<void> {
  try {
    await start(names, environment);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}

async function start(names: readonly string[], environment: Environment): Promise<void> {
  const config = readConfig(environment);
  const log = createLog(config.LOG_LEVEL);
  const services = names.filter(isServiceName);
  if (config.DATABASE_URL === undefined && services.length === 1) {
    throw new StartError('The embedded database serves one process: use npm start, or set DATABASE_URL.');
  }
  // What is loaded here keeps this thread busy while database and model start on theirs.
  const parts = needsEmbedder(names) ? {} : { openEmbedder: async () => noEmbedder };
  const [runtime, ...starts] = await Promise.all([
    openRuntime(config, log, { connectors: loadConnectors(), ...parts }),
    ...services.map(loadService),
  ]);
  const running: Service[] = [];
  const stop = async (exitCode: number): Promise<never> => {
    // Requests in flight and work in hand have the same time: together they would take twice as long.
    await Promise.all(running.splice(0).map((service) => service.stop()));
    await runtime.close();
    process.exit(exitCode);
  };
  onSignals(() => runInBackground(stop(0), report));
  const endWithDatabase = (err: unknown) => {
    log.fatal({ err }, 'the database is gone: the process ends');
    process.exit(1);
  };
  runtime.database.died.then(endWithDatabase, endWithDatabase);
  try {
    for (const startService of starts) {
      running.push(
        await startService(
          runtime,
          names.filter((name) => !isServiceName(name)),
        ),
      );
    }
    await announceStart(runtime, {
      services,
      address: running.find((service) => service.address)?.address ?? null,
    });
  } catch (error) {
    report(error);
    await stop(1);
  }
}

/** The first signal stops gracefully; a second one at once. */
function onSignals(stop: () => void): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop();
    });
  }
}

/** What an operator can mend is told in its own line; anything else is a fault of ours and comes whole. */
function report(error: unknown): void {
  process.stderr.write(`${textOf(error)}\n`);
}

function textOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (!isDatabaseFault(error)) return error.stack ?? error.message;
  return `The database could not be used (${error.message}): check that it runs and has connections left, and start again.`;
}
