import { randomUUID } from 'node:crypto';
import { type Models, openModels } from '../answering/open-models.ts';
import { HttpSkills } from '../answering/skills/http/http-skills.ts';
import { openBoth, withTimeout } from '../base/async.ts';
import { type Clock, systemClock, systemWait, type Wait } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createLogThrottle, type Logger } from '../base/log.ts';
import { ConnectorThreads } from '../base/threads/thread-pool.ts';
import { type OpenedAccount, tellUnreadable } from '../channels/accounts/channel-account.ts';
import { ChannelAccounts } from '../channels/accounts/channel-accounts.ts';
import type { VisitorDependencies } from '../channels/answer-visitor.ts';
import { Channels } from '../channels/channels.ts';
import { ConnectorCalls, openChannelFetch } from '../channels/connector-calls.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import { type AcceptDeliveries, acceptDeliveries } from '../channels/inbound/accept-deliveries.ts';
import { BurstCollector } from '../channels/inbound/burst-collector.ts';
import { releaseStaleLeases } from '../channels/inbound/lane.ts';
import type { LaneServices } from '../channels/inbound/lane-dependencies.ts';
import { LaneHandover, LaneLeaseBatcher } from '../channels/inbound/lane-work.ts';
import { DeliveryBatcher, receiveDeliveries } from '../channels/inbound/receive-deliveries.ts';
import { wakeLaneInBackground } from '../channels/inbound/wake-lanes.ts';
import { Installs } from '../channels/installs.ts';
import { type Mailer, openMailer } from '../channels/mailer.ts';
import { readLinkedFile } from '../channels/outbound/agent-files.ts';
import { RateLimitHolds } from '../channels/outbound/send-budgets.ts';
import { BudgetWaitQueue, PlatformOutages, sendConcurrency } from '../channels/outbound/send-queue.ts';
import { SentPartBatcher } from '../channels/outbound/sent-batches.ts';
import { noJournal } from '../channels/outbound/sent-journal.ts';
import type { Config } from '../config/config.ts';
import type { SocketTools } from '../contract/listener.ts';
import { Conversations } from '../conversations/conversations.ts';
import { Inbox } from '../conversations/inbox/inbox.ts';
import { createSummaryScheduler } from '../conversations/summary-schedule.ts';
import { Readiness } from '../health/readiness.ts';
import { Corpora } from '../knowledge/corpus/corpora.ts';
import { DocumentChanges } from '../knowledge/documents/document-changes.ts';
import { Documents } from '../knowledge/documents/documents.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import { EmbeddingModels } from '../knowledge/embedding/embedding-models.ts';
import { BUILT_IN_MODEL, openEmbedder, openNamedModel } from '../knowledge/embedding/open-embedder.ts';
import { FactConflicts } from '../knowledge/facts/fact-conflicts.ts';
import { createDocumentWaker } from '../knowledge/indexing/ingest-jobs.ts';
import { Reranker } from '../knowledge/ranking/reranker.ts';
import { DocumentReader } from '../knowledge/read/document-reader.ts';
import { openTextRecogniser } from '../knowledge/read/text-recogniser.ts';
import { Admission } from '../limits/admission.ts';
import { GuessLimit } from '../limits/guess-limit.ts';
import { IdempotentRequests } from '../limits/idempotent-requests.ts';
import { KeyOutcomes } from '../limits/key-outcomes.ts';
import { PublicRateLimit } from '../limits/public-rate.ts';
import { MessageQuota } from '../limits/quota.ts';
import { VisitorRateLimit } from '../limits/visitor-rate.ts';
import { type LiveServices, openLive } from '../live/presence.ts';
import { type ResolveTxt, resolveTxt } from '../members/identity/domain-proofs.ts';
import { Members } from '../members/members.ts';
import { SignIn } from '../members/sign-in.ts';
import { Metrics, withEmbedderMetrics } from '../metrics/metrics.ts';
import type { CountCalls } from '../models/circuit-breaker.ts';
import { findEmbeddingModel, findRerankModel } from '../models/provider-settings.ts';
import { AdaptiveConcurrency } from '../queue/adaptive-concurrency.ts';
import { type JobQueue, openQueue } from '../queue/queue.ts';
import { type Installation, isWeakToken, openInstallation } from '../secrets/installation.ts';
import { Sources } from '../sources/sources.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import { ProcessRegistry } from '../storage/process-registry.ts';
import { Settings } from '../storage/settings.ts';
import { Challenges } from '../visitors/challenges.ts';
import { Visitors } from '../visitors/visitors.ts';
import { createDeliveryScheduler } from '../webhooks/event-transaction.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { ApiKeys } from '../workspaces/api-keys.ts';
import { Secrets } from '../workspaces/secrets.ts';
import { Workspaces } from '../workspaces/workspaces.ts';
import { openJournal } from './open-journal.ts';

/** The process itself: its configuration, clocks, stores and health. */
interface ProcessServices {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: Database;
  readonly queue: JobQueue;
  readonly settings: Settings;
  readonly installation: Installation;
  readonly secrets: Secrets;
  readonly processes: ProcessRegistry;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly checkModels: Models['checkModels'];
}

/** Workspaces, their credentials and their limits. */
interface WorkspaceServices {
  readonly workspaces: Workspaces;
  readonly apiKeys: ApiKeys;
  readonly admission: Admission;
  readonly keyOutcomes: KeyOutcomes;
  /** Counts failed credentials. Check it before looking a credential up. */
  readonly guesses: GuessLimit;
  readonly quota: MessageQuota;
  readonly idempotentRequests: IdempotentRequests;
  readonly publicRate: PublicRateLimit;
  readonly webhooks: Webhooks;
  readonly httpSkills: HttpSkills;
}

/** People who sign in to the dashboard. */
interface MemberServices {
  readonly members: Members;
  readonly signIn: SignIn;
  readonly mailer: Mailer | null;
}

/** Documents and how they are read, indexed and searched. */
interface KnowledgeServices {
  readonly documents: Documents;
  readonly documentChanges: DocumentChanges;
  readonly factConflicts: FactConflicts;
  readonly sources: Sources;
  readonly corpora: Corpora;
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
  readonly reader: DocumentReader;
}

/** Visitors of the widget and the hosted page, and the agents who answer them. */
interface VisitorServices extends VisitorDependencies {
  readonly inbox: Inbox;
  readonly visitors: Visitors;
  readonly visitorRate: VisitorRateLimit;
  readonly challenges: Challenges;
}

/** Channel accounts and what platforms send to them. */
interface ChannelServices {
  readonly connectors: ConnectorRegistry;
  readonly connectorCalls: ConnectorCalls;
  readonly channels: Channels;
  readonly installs: Installs;
  readonly channelAccounts: ChannelAccounts;
  /** Entry point for inbound webhook deliveries. */
  readonly inbound: { readonly accept: AcceptDeliveries };
  readonly openSocketTools: OpenSocketTools;
}

/**
 * All services of a process, opened once at its root. Routes and workers take the runtime; functions below them take the
 * small interface of their area (`AskDependencies`, `LaneDependencies`, …), which the runtime satisfies.
 */
export interface Runtime
  extends ProcessServices,
    WorkspaceServices,
    MemberServices,
    KnowledgeServices,
    VisitorServices,
    ChannelServices,
    LiveServices,
    LaneServices {
  close(): Promise<void>;
}

/** Opens the tools with which a connector answers over a socket, until `signal` aborts. The workers implement it. */
export type OpenSocketTools = (runtime: Runtime, account: OpenedAccount, signal: AbortSignal) => SocketTools;

/** Replaceable parts of a runtime; the real ones if absent. */
interface RuntimeParts {
  readonly clock?: Clock;
  readonly wait?: Wait;
  readonly openDatabase?: typeof openDatabase;
  readonly openEmbedder?: typeof openEmbedder;
  /** The connectors; none if absent. They may still be loading. */
  readonly connectors?: ConnectorRegistry | Promise<ConnectorRegistry>;
  /** Without it, the process serves no sockets. It may still be loading. */
  readonly openSocketTools?: OpenSocketTools | Promise<OpenSocketTools>;
  readonly resolveTxt?: ResolveTxt;
}

/** A service that hangs while it closes does not keep the process alive. */
const closeTimeoutMs = 8_000;

const noConnectors: ConnectorRegistry = { connectors: [], findConnector: () => undefined };

const noSocketTools: OpenSocketTools = () => {
  throw new AppError('internal_error', { detail: 'This process serves no sockets.' });
};

/** Opens all services. Throws a StartError after closing the services that were already open. */
export async function openRuntime(config: Config, log: Logger, parts: RuntimeParts = {}): Promise<Runtime> {
  const { clock = systemClock, wait = systemWait } = parts;
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  const close = async () => {
    if (!(await withTimeout(closeTimeoutMs, closeAll()))) log.warn('closing services timed out');
  };
  try {
    const remote = findEmbeddingModel(config);
    const metrics = new Metrics();
    const count: CountCalls = (model, outcome) => metrics.modelCalled(model, outcome);
    // Both wait for their own threads or connections, so they start together.
    const [database, loaded] = await openBoth(
      (parts.openDatabase ?? openDatabase)(config, log),
      (parts.openEmbedder ?? openEmbedder)({ engine: config.EMBEDDING_ENGINE, remote, log, count }),
    );
    opened.push(
      () => database.close(),
      () => loaded.close(),
    );
    const connectors = (await parts.connectors) ?? noConnectors;
    const openSocketTools = (await parts.openSocketTools) ?? noSocketTools;
    const settings = new Settings(database.kysely);
    const installation = await openInstallation(config, settings);
    if (isWeakToken(installation.adminToken)) {
      log.warn({ advice: 'Set ADMIN_TOKEN to at least 32 random characters.' }, 'admin token is weak');
    }
    const alone = database.engine === 'embedded';
    const databaseId = await settings.getOrSet('database_id', randomUUID());
    const redis = config.REDIS_URL === undefined ? undefined : { url: config.REDIS_URL, databaseId };
    const queue = await openQueue({ pool: database.queuePool, redis, alone }, log);
    opened.push(() => queue.close());
    const embedder = await EmbeddingModels.open({
      ...{ database: database.kysely, log, builtInName: BUILT_IN_MODEL },
      main: withEmbedderMetrics(loaded, metrics),
      open: openNamedModel({ config, log, count, open: parts.openEmbedder ?? openEmbedder }),
    });
    opened.push(() => embedder.close());
    const reranker = openReranker({ config, log, clock, count, metrics });
    const reader = new DocumentReader({ recogniser: await openTextRecogniser(config) });
    opened.push(() => reader.close());
    const stores = { database: database.kysely, clock };
    const corpora = new Corpora({ ...stores, log, bytes: config.SEARCH_MEMORY_MB * 2 ** 20 });
    opened.push(() => corpora.idle());
    const scheduleDeliveries = createDeliveryScheduler(queue, log);
    const models = await openModels({ config, log, clock, count });
    const wakeSummary = models.complete === null ? undefined : createSummaryScheduler(queue, log);
    const telling = { ...stores, scheduleDeliveries };
    const processes = new ProcessRegistry({ ...stores, log, alone });
    await processes.open();
    const wakeDocument = createDocumentWaker({ queue, log });
    if (alone) await releaseStaleLeases(stores.database);
    opened.push(() => processes.close());
    const admission = new Admission({ ...stores, log, processId: processes.id });
    const keyOutcomes = new KeyOutcomes({ ...stores, log });
    opened.push(
      () => admission.close(),
      () => keyOutcomes.close(),
    );
    const channelFetch = openChannelFetch({ allowPrivate: config.ALLOW_PRIVATE_CHANNELS });
    opened.push(() => channelFetch.close());
    const threads = new ConnectorThreads();
    opened.push(() => threads.close());
    const connectorCalls = new ConnectorCalls({
      clock,
      log,
      fetch: channelFetch.fetch,
      resolve: channelFetch.resolve,
      readFile: (url) => readLinkedFile(database.kysely, url),
      threads,
      count: (channel, outcome) => metrics.channels.called(channel, outcome),
    });
    const { close: closeLive, ...live } = openLive({
      ...{ database, clock, wait, log },
      processId: processes.id,
    });
    opened.push(closeLive);
    const isNews = createLogThrottle(clock);
    const sealed = {
      ...stores,
      secretBox: installation.secretBox,
      publicUrl: config.PUBLIC_URL,
      tellUnreadable: tellUnreadable(log, isNews),
    };
    const channelAccounts = new ChannelAccounts({ ...sealed, registry: connectors, urgent: database.urgent });
    const linked = { ...sealed, registry: connectors, calls: connectorCalls, accounts: channelAccounts };
    const channels = new Channels({ ...linked, log });
    const laneHandover = new LaneHandover();
    const batches = new DeliveryBatcher((channel, deliveries) =>
      receiveDeliveries({ database: database.urgent, clock, log, queue, laneHandover }, channel, deliveries),
    );
    const conversations = new Conversations({ ...telling, wakeSummary });
    const sentPartBatcher = new SentPartBatcher(database.urgent);
    const journal = { databaseId, sentPartBatcher, processes };
    const sentJournal = await openJournal({ config, log, isNews, alone, ...journal });
    opened.push(async () => sentJournal.close());
    const budgetWaitQueue = new BudgetWaitQueue({
      now: () => clock.now().getTime(),
      call: (key) => wakeLaneInBackground({ queue, log }, { name: 'deliver', id: randomUUID(), key }),
    });
    opened.push(async () => budgetWaitQueue.close());
    const intake = { batches, clock, log, connectors, connectorCalls, channelAccounts, isNews };
    return {
      config,
      log,
      clock,
      database,
      queue,
      embedder,
      reranker,
      reader,
      corpora,
      installation,
      settings,
      secrets: new Secrets({ ...stores, ...installation, settings, log, alone }),
      workspaces: new Workspaces({ ...stores, secretBox: installation.secretBox }),
      apiKeys: new ApiKeys(stores),
      members: new Members(stores),
      signIn: new SignIn({ ...sealed, log, resolveTxt: parts.resolveTxt ?? resolveTxt }),
      mailer: openMailer(config, log),
      admission,
      keyOutcomes,
      guesses: new GuessLimit({ clock, log, count: (kind) => metrics.authFailed(kind) }),
      quota: new MessageQuota(stores),
      idempotentRequests: new IdempotentRequests({ ...stores, processId: processes.id }),
      publicRate: new PublicRateLimit(stores),
      processes,
      readiness: new Readiness({ processes, queue, embedder, log }),
      metrics,
      documents: new Documents({ ...telling, wake: wakeDocument }),
      documentChanges: new DocumentChanges({ ...telling, wake: wakeDocument }),
      factConflicts: new FactConflicts(stores),
      sources: new Sources({ ...sealed, config, log, queue, threads }),
      conversations,
      ...models,
      inbox: new Inbox(telling),
      visitors: new Visitors(stores),
      visitorRate: new VisitorRateLimit(stores),
      challenges: new Challenges({ ...stores, key: installation.secretBox.derive('visitor challenge') }),
      ...live,
      webhooks: new Webhooks({ ...telling, secretBox: installation.secretBox }),
      scheduleDeliveries,
      httpSkills: new HttpSkills({
        ...stores,
        log,
        secretBox: installation.secretBox,
        allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS,
      }),
      connectors,
      connectorCalls,
      sendingConcurrency: new AdaptiveConcurrency(sendConcurrency({ journal: sentJournal !== noJournal })),
      rateLimitHolds: new RateLimitHolds({ ...stores, log }),
      outages: new PlatformOutages({ now: () => clock.now().getTime() }),
      budgetWaitQueue,
      sentPartBatcher,
      sentJournal,
      laneLeases: new LaneLeaseBatcher(stores),
      laneHandover,
      bursts: new BurstCollector({ clock, wait }),
      channelAccounts,
      channels,
      installs: new Installs({ ...linked, channels }),
      inbound: { accept: (account, deliveries) => acceptDeliveries(intake, account, deliveries) },
      openSocketTools,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RerankerOptions extends Pick<Runtime, 'config' | 'log' | 'clock' | 'metrics'> {
  readonly count: CountCalls;
}

function openReranker({ config, metrics, ...options }: RerankerOptions): Reranker | null {
  const model = findRerankModel(config);
  if (model === null) return null;
  const measure = metrics.rerankings();
  return new Reranker({ ...model, ...options, timeoutMs: config.RERANK_TIMEOUT_MS, measure });
}
