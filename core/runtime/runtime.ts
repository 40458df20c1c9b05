import { randomUUID } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };
import { openBoth, withTimeout } from '../base/async.ts';
import { type Clock, systemClock, systemWait, type Wait } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createLogThrottle, type Logger } from '../base/log.ts';
import { ConnectorThreads } from '../base/threads/thread-pool.ts';
import type { OpenedAccount } from '../channels/accounts/channel-account.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import type { Config } from '../config/config.ts';
import { findTelemetry } from '../config/telemetry.ts';
import type { SocketTools } from '../contract/listener.ts';
import type { DnsRecords } from '../contract/mail/mailbox-setup.ts';
import { DemoIndexing } from '../demo/demo-indexing.ts';
import { Readiness } from '../health/readiness.ts';
import { openEmbedder } from '../knowledge/embedding/open-embedder.ts';
import type { ResolveTxt } from '../members/identity/domain-proofs.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { CountCalls } from '../models/circuit-breaker.ts';
import { ModelOutcomes } from '../models/model-outcomes.ts';
import { findEmbeddingModel } from '../models/provider-settings.ts';
import { openDatabase } from '../storage/database.ts';
import { newProcessId } from '../storage/process-registry.ts';
import type { Spans } from '../tracing/spans.ts';
import { type ChannelServices, openChannels } from './open-channels.ts';
import { type ConversationServices, openConversations } from './open-conversations.ts';
import { type KnowledgeServices, openKnowledge } from './open-knowledge.ts';
import { openStorage, type StorageServices } from './open-storage.ts';
import { openWorkspaces, type WorkspaceServices } from './open-workspaces.ts';
import type { Opening } from './opening.ts';

/**
 * All services of a process, opened once at its root. Routes and workers take the runtime, or the services of one floor;
 * functions below them take the small interface of their area (`AskDependencies`, `LaneDependencies`, …), which the runtime
 * satisfies.
 */
export interface Runtime
  extends StorageServices,
    WorkspaceServices,
    KnowledgeServices,
    ConversationServices,
    ChannelServices {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The outcomes of the last calls of models. */
  readonly modelOutcomes: ModelOutcomes;
  readonly readiness: Readiness;
  readonly demo: DemoIndexing;
  /** Exports how messages come about; null unless a collector is configured. */
  readonly spans: Spans | null;
  readonly openSocketTools: OpenSocketTools;
  close(): Promise<void>;
}

/** Opens the tools with which a connector answers over a socket, until `signal` aborts. The workers implement it. */
export type OpenSocketTools = (runtime: Runtime, account: OpenedAccount, signal: AbortSignal) => SocketTools;

/** Replaceable parts of a runtime; the real ones if absent. */
interface RuntimeParts {
  /** A new one if absent. */
  readonly processId?: string;
  readonly clock?: Clock;
  readonly wait?: Wait;
  readonly openDatabase?: typeof openDatabase;
  readonly openEmbedder?: typeof openEmbedder;
  /** The connectors; none if absent. They may still be loading. */
  readonly connectors?: ConnectorRegistry | Promise<ConnectorRegistry>;
  /** Without it, the process serves no sockets. It may still be loading. */
  readonly openSocketTools?: OpenSocketTools | Promise<OpenSocketTools>;
  readonly resolveTxt?: ResolveTxt;
  /** Where the servers of mailboxes are looked for. */
  readonly dns?: DnsRecords;
}

/** A service that hangs while it closes does not keep the process alive. */
const closeTimeoutMs = 8_000;

const noConnectors: ConnectorRegistry = { connectors: [], findConnector: () => undefined };

const noSocketTools: OpenSocketTools = () => {
  throw new AppError('internal_error', { detail: 'This process serves no sockets.' });
};

/**
 * Opens the services of all floors, lowest first; each may use those below. They are closed in the reverse order. Throws a
 * StartError after closing the services that were already open.
 */
export async function openRuntime(config: Config, log: Logger, parts: RuntimeParts = {}): Promise<Runtime> {
  const closers = new Closers(log);
  try {
    const opening = await beginOpening(config, log, { ...parts, closers });
    const { clock, metrics, modelOutcomes, spans, count, onClose } = opening;
    const open = parts.openEmbedder ?? openEmbedder;
    // Both wait for their own threads or connections, so they start together.
    const [database, loaded] = await openBoth(
      (parts.openDatabase ?? openDatabase)(config, log),
      open({ engine: config.EMBEDDING_ENGINE, remote: findEmbeddingModel(config), log, count }),
    );
    onClose(() => database.close());
    onClose(() => loaded.close());
    const connectors = (await parts.connectors) ?? noConnectors;
    const openSocketTools = (await parts.openSocketTools) ?? noSocketTools;

    const storage = await openStorage(opening, database);
    const workspaces = openWorkspaces(opening, storage, parts);
    const knowledge = await openKnowledge(opening, storage, { ...workspaces, loaded, open });
    const conversations = await openConversations(opening, storage, workspaces);
    const channels = await openChannels(opening, storage, connectors, parts);

    const readiness = new Readiness({ ...storage, ...knowledge, config, clock, log, modelOutcomes });
    const floors = { ...storage, ...workspaces, ...knowledge, ...conversations, ...channels };
    return {
      ...floors,
      config,
      log,
      clock,
      metrics,
      modelOutcomes,
      readiness,
      demo: new DemoIndexing(),
      spans,
      openSocketTools,
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function beginOpening(
  config: Config,
  log: Logger,
  { clock = systemClock, wait = systemWait, closers, ...parts }: RuntimeParts & { readonly closers: Closers },
): Promise<Opening> {
  const processId = parts.processId ?? newProcessId();
  const metrics = new Metrics();
  const modelOutcomes = new ModelOutcomes();
  const count: CountCalls = (model, outcome) => {
    metrics.modelCalled(model, outcome);
    modelOutcomes.note(model, outcome);
  };
  const onClose: Opening['onClose'] = (close) => closers.add(close);
  // It is closed last of all, so that it exports what the others do until then.
  const spans = await openSpans(config, { log, metrics, processId });
  if (spans !== null) onClose(() => spans.close());
  const threads = new ConnectorThreads();
  onClose(() => threads.close());
  const news = { isNews: createLogThrottle(clock), onClose };
  return { config, processId, log, clock, wait, metrics, modelOutcomes, count, spans, threads, ...news };
}

/** Without an endpoint nothing of OpenTelemetry is loaded. */
async function openSpans(
  config: Config,
  { log, metrics, processId }: Pick<Opening, 'log' | 'metrics' | 'processId'>,
): Promise<Spans | null> {
  const settings = findTelemetry(config);
  if (settings === null) return null;
  const [{ openExport }, { Tracer }] = await Promise.all([
    import('../tracing/open-telemetry.ts'),
    import('../tracing/tracer.ts'),
  ]);
  const outlet = openExport({
    ...{ settings, log, instance: processId, version: manifest.version },
    count: metrics.exportedSpans(),
  });
  return new Tracer(outlet, randomUUID);
}

/** Closes services, the one that was opened last first. */
class Closers {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #opened: (() => Promise<void>)[] = [];

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  add(close: () => Promise<void>): void {
    this.#opened.push(close);
  }

  async close(): Promise<void> {
    if (!(await withTimeout(closeTimeoutMs, this.#closeAll()))) this.#log.warn('closing services timed out');
  }

  async #closeAll(): Promise<void> {
    for (const closeOne of this.#opened.splice(0).reverse()) await closeOne();
  }
}
