import { hostname } from 'node:os';
import { relative } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { runInBackground } from '../base/async.ts';
import { StartError } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import { readConfig } from '../config/config.ts';
import { openDemo } from '../demo/open-demo.ts';
import { openHealthPort } from '../health/health-port.ts';
import type { StartingPorts } from '../health/starting-ports.ts';
import { unavailableEmbedder } from '../knowledge/embedding/embedder.ts';
import type { FaultKind } from '../metrics/metrics.ts';
import { openDatabase } from '../storage/database.ts';
import { newProcessId } from '../storage/process-registry.ts';
import { isDatabaseFault } from '../storage/sql-errors.ts';
import { type OpenSocketTools, openRuntime, type Runtime } from './runtime.ts';
import { type Service, Shutdown } from './shutdown.ts';

const serviceNames = ['server', 'workers'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `options` are the remaining words of the command line. */
export type StartService = (runtime: Runtime, options: readonly string[]) => Promise<Service>;

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((known) => known === name);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The ports that are open already, and the folders that core does not import: loaded while the database and the model start. */
export interface Loaders {
  readonly ports: StartingPorts;
  readonly connectors: () => Promise<ConnectorRegistry>;
  readonly openSocketTools: () => Promise<OpenSocketTools>;
  readonly services: Readonly<Record<ServiceName, () => Promise<StartService>>>;
}

/** Starts the named services, or some workers only, in this process. It exits if they cannot start. */
export async function startServices(
  names: readonly string[],
  environment: Environment,
  loaders: Loaders,
): Promise<void> {
  try {
    await start(names, environment, loaders);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}

async function start(names: readonly string[], environment: Environment, loaders: Loaders): Promise<void> {
  const config = readConfig(environment);
  const processId = newProcessId();
  const log = createLog(config.LOG_LEVEL, undefined, {
    ...{ process: processId, host: hostname(), version: manifest.version },
    role: names.join(' '),
  });
  const services = names.filter(isServiceName);
  if (config.DATABASE_URL === undefined && services.length === 1) {
    throw new StartError(
      'The embedded database supports only one process. Run npm start, or set DATABASE_URL to use PostgreSQL.',
    );
  }
  // Loading the services keeps this thread busy while the database and the model start on theirs.
  const parts = needsEmbedder(names) ? {} : { openEmbedder: async () => unavailableEmbedder };
  const [runtime, ...starts] = await Promise.all([
    openRuntime(config, log, {
      connectors: loaders.connectors(),
      openSocketTools: loaders.openSocketTools(),
      openDatabase: (place, log) => openDatabase(place, log, { onPending: loaders.ports.migrating }),
      ...parts,
      processId,
    }),
    ...services.map((name) => loaders.services[name]()),
  ]);
  const shutdown = new Shutdown({ runtime, exit: process.exit });
  onSignals((signal) =>
    runInBackground(shutdown.begin({ exitCode: 0, drains: signal === 'SIGTERM' }), report),
  );
  onFaults((kind, error) => runInBackground(shutdown.endAfterFault(kind, error), report));
  const exitOnDatabaseLoss = (err: unknown) => {
    log.fatal({ err }, 'database lost, exiting');
    process.exit(1);
  };
  runtime.database.died.then(exitOnDatabaseLoss, exitOnDatabaseLoss);
  try {
    await loaders.ports.close();
    shutdown.addHealthPort(await openHealthPort(runtime));
    const workers = names.filter((name) => !isServiceName(name));
    // The demo is created once the process listens, and a request that comes before then is told so.
    if (services.length > 1) runtime.demo.begin();
    let address: string | null = null;
    const started: Service[] = [];
    for (const startService of starts) {
      const service = await startService(runtime, workers);
      shutdown.add(service);
      started.push(service);
      address ??= service.address ?? null;
    }
    await printStartSummary(runtime, { services, address });
    for (const service of started) service.afterStart?.();
    watchParts(runtime);
    // In the background: a model may take minutes to load, and the process answers without it.
    const checks = Promise.all([runtime.checkModels(), runtime.reranker?.check()]);
    runInBackground(checks, (err) => log.warn({ err }, 'model check failed'));
  } catch (error) {
    report(error);
    await shutdown.begin({ exitCode: 1, drains: false });
  }
}

const WATCH_INTERVAL_MS = 15_000;

/** Looks at the parts although nobody asks, so that the log tells of a part that fails. */
function watchParts({ readiness, log }: Pick<Runtime, 'readiness' | 'log'>): void {
  setInterval(() => {
    runInBackground(readiness.parts(), (err) => log.warn({ err }, 'parts not checked'));
  }, WATCH_INTERVAL_MS).unref();
}

/** The first signal stops gracefully, a second one at once. */
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

/** Prints one line for an error that an operator can fix, and the stack for any other. */
function report(error: unknown): void {
  process.stderr.write(`${describeError(error)}\n`);
}

function describeError(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (!isDatabaseFault(error)) return error.stack ?? error.message;
  return `Cannot use the database: ${error.message}. Check that it runs and has free connections, and start again.`;
}

/** Workers that neither search nor index. */
const workersWithoutSearch: ReadonlySet<string> = new Set([
  'deliver',
  'housekeeping',
  'listeners',
  'summaries',
  'webhooks',
]);

/** Returns true if a process needs the embedding model, given its command-line words. */
export function needsEmbedder(words: readonly string[]): boolean {
  const [service, ...workers] = words;
  return (
    service !== 'workers' || workers.length === 0 || workers.some((name) => !workersWithoutSearch.has(name))
  );
}

/** Until somebody can sign in, each start prints a link that makes the first person, and replaces the last such link. */
async function dashboardAddress({ config, members, workspaces }: Runtime, address: string): Promise<string> {
  const base = `${config.PUBLIC_URL ?? address}/dashboard`;
  if (!(await members.isEmpty())) return base;
  const [workspace] = (await workspaces.list({ limit: 1 })).items;
  const { token } = await members.createFirstLink(workspace?.owner);
  return `${base}/begin#${token}   (makes the first owner, once, within a day)`;
}

interface StartSummary {
  readonly services: readonly ServiceName[];
  /** Address of the server. Null without one. */
  readonly address: string | null;
}

/** Prints the start summary for the operator. In an empty installation it creates the demo first. */
export async function printStartSummary(
  runtime: Runtime,
  { services, address }: StartSummary,
): Promise<void> {
  const { config, database, embedder, installation } = runtime;
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const demo = services.length > 1 ? await openDemo(runtime) : null;
  const folder = relative(process.cwd(), config.DATA_DIR) || '.';
  if (address !== null) print(`Parley listens on ${address}`);
  print(`Storage     ${database.engine === 'embedded' ? `embedded, in ${folder}` : 'PostgreSQL'}`);
  print(`Queue       ${config.REDIS_URL === undefined ? 'in the database' : 'Redis'}`);
  if (embedder.engine !== 'none') print(`Embeddings  ${embedder.model} (${embedder.engine})`);
  if (installation.adminTokenIsNew) {
    print(`Admin token ${installation.adminToken}   (shown once, kept in ${folder}/admin-token)`);
  }
  if (address !== null) print(`Dashboard   ${await dashboardAddress(runtime, address)}`);
  if (demo === null || address === null) return;
  print(`Demo        workspace ${demo.workspaceId}, ${demo.documentCount} documents`);
  print(
    demo.newKey === null
      ? `Demo key    in ${demo.keyFile}`
      : `Demo key    ${demo.newKey}   (kept in ${demo.keyFile})`,
  );
  if (demo.slug !== null) print(`Demo page   ${config.PUBLIC_URL ?? address}/c/${demo.slug}`);
  print('');
  print(
    `  curl -s ${address}/v1/query -H "Authorization: Bearer ${demo.newKey ?? `$(cat '${demo.keyFile}')`}" \\`,
  );
  print(`    -H "Content-Type: application/json" -d '${JSON.stringify({ query: demo.question })}'`);
  print('');
}
