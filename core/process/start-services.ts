import { relative } from 'node:path';
import { runInBackground } from '../async.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import { readConfig } from '../config.ts';
import { openDemo } from '../demo/open-demo.ts';
import { StartError } from '../errors.ts';
import { openHealthPort } from '../health/health-port.ts';
import { unavailableEmbedder } from '../knowledge/embedding/embedder.ts';
import { createLog } from '../log.ts';
import type { FaultKind } from '../metrics/metrics.ts';
import { type OpenSocketTools, openRuntime, type Runtime } from '../runtime.ts';
import { isDatabaseFault } from '../storage/sql-errors.ts';
import { type Service, Shutdown } from './shutdown.ts';

const serviceNames = ['server', 'workers'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `options` are the other words of the command line. */
export type StartService = (runtime: Runtime, options: readonly string[]) => Promise<Service>;

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((known) => known === name);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The other rooms, which core does not import. Each is loaded while database and model start. */
export interface Rooms {
  readonly connectors: () => Promise<ConnectorRegistry>;
  readonly openSocketTools: () => Promise<OpenSocketTools>;
  readonly services: Readonly<Record<ServiceName, () => Promise<StartService>>>;
}

/** Starts the services named, or some workers only, in this process, which ends when they cannot start. */
export async function startServices(
  names: readonly string[],
  environment: Environment,
  rooms: Rooms,
): Promise<void> {
  try {
    await start(names, environment, rooms);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}

async function start(names: readonly string[], environment: Environment, rooms: Rooms): Promise<void> {
  const config = readConfig(environment);
  const log = createLog(config.LOG_LEVEL);
  const services = names.filter(isServiceName);
  if (config.DATABASE_URL === undefined && services.length === 1) {
    throw new StartError('The embedded database serves one process: use npm start, or set DATABASE_URL.');
  }
  // What is loaded here keeps this thread busy while database and model start on theirs.
  const parts = needsEmbedder(names) ? {} : { openEmbedder: async () => unavailableEmbedder };
  const [runtime, ...starts] = await Promise.all([
    openRuntime(config, log, {
      connectors: rooms.connectors(),
      openSocketTools: rooms.openSocketTools(),
      ...parts,
    }),
    ...services.map((name) => rooms.services[name]()),
  ]);
  const shutdown = new Shutdown({ runtime, exit: process.exit });
  onSignals((signal) =>
    runInBackground(shutdown.begin({ exitCode: 0, drains: signal === 'SIGTERM' }), report),
  );
  onFaults((kind, error) => runInBackground(shutdown.endAfterFault(kind, error), report));
  const endWithDatabase = (err: unknown) => {
    log.fatal({ err }, 'the database is gone: the process ends');
    process.exit(1);
  };
  runtime.database.died.then(endWithDatabase, endWithDatabase);
  try {
    shutdown.addHealthPort(await openHealthPort(runtime));
    const workers = names.filter((name) => !isServiceName(name));
    let address: string | null = null;
    for (const startService of starts) {
      const service = await startService(runtime, workers);
      shutdown.add(service);
      address ??= service.address ?? null;
    }
    await printStartSummary(runtime, { services, address });
  } catch (error) {
    report(error);
    await shutdown.begin({ exitCode: 1, drains: false });
  }
}

/** The first signal stops gracefully; a second one at once. */
function onSignals(stop: (signal: 'SIGINT' | 'SIGTERM') => void): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop(signal);
    });
  }
}

function onFaults(onFault: (kind: FaultKind, error: unknown) => void): void {
  process.on('unhandledRejection', (reason) => onFault('unhandled_rejection', reason));
  process.on('uncaughtException', (error) => onFault('uncaught_exception', error));
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

/** The workers that neither search nor index. */
const workersWithoutSearch: ReadonlySet<string> = new Set([
  'deliver',
  'housekeeping',
  'listeners',
  'summaries',
  'webhooks',
]);

/** Whether a process needs the embedding model, by the words that it is started with. */
export function needsEmbedder(words: readonly string[]): boolean {
  const [service, ...workers] = words;
  return (
    service !== 'workers' || workers.length === 0 || workers.some((name) => !workersWithoutSearch.has(name))
  );
}

interface StartSummary {
  readonly services: readonly ServiceName[];
  /** Where the server listens; null without one. */
  readonly address: string | null;
}

/** Tells the operator, a line each, what there is to know; on an empty installation the demo is made first. */
export async function printStartSummary(
  runtime: Runtime,
  { services, address }: StartSummary,
): Promise<void> {
  const { config, database, embedder, installation } = runtime;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const demo = services.length > 1 ? await openDemo(runtime) : null;
  const folder = relative(process.cwd(), config.DATA_DIR) || '.';
  if (address !== null) say(`Parley listens on ${address}`);
  say(`Storage     ${database.engine === 'embedded' ? `embedded, in ${folder}` : 'PostgreSQL'}`);
  say(`Queue       ${config.REDIS_URL === undefined ? 'in the database' : 'Redis'}`);
  if (embedder.engine !== 'none') say(`Embeddings  ${embedder.model} (${embedder.engine})`);
  if (installation.adminTokenIsNew) {
    say(`Admin token ${installation.adminToken}   (shown once, kept in ${folder}/admin-token)`);
  }
  if (demo === null || address === null) return;
  say(`Demo        workspace ${demo.workspaceId}, ${demo.documentCount} documents`);
  say(
    demo.newKey === null
      ? `Demo key    in ${demo.keyFile}`
      : `Demo key    ${demo.newKey}   (kept in ${demo.keyFile})`,
  );
  if (demo.slug !== null) say(`Demo page   ${config.PUBLIC_URL ?? address}/c/${demo.slug}`);
  say('');
  say(
    `  curl -s ${address}/v1/query -H "Authorization: Bearer ${demo.newKey ?? `$(cat '${demo.keyFile}')`}" \\`,
  );
  say(`    -H "Content-Type: application/json" -d '${JSON.stringify({ query: demo.question })}'`);
  say('');
}
