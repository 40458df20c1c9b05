import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CountCalls } from './answering/models/circuit-breaker.ts';
import type { Complete } from './answering/models/complete.ts';
import { findEmbeddingModel } from './answering/models/provider-settings.ts';
import { openModels } from './answering/open-models.ts';
import { openBoth, withTimeout } from './async.ts';
import type { OpenedAccount } from './channels/channel-account.ts';
import { tellUnreadable } from './channels/channel-account.ts';
import { ChannelAccounts } from './channels/channel-accounts.ts';
import { openChannelFetch } from './channels/channel-fetch.ts';
import { Channels } from './channels/channels.ts';
import { ConnectorCalls } from './channels/connector-calls.ts';
import type { ConnectorRegistry } from './channels/connector-registry.ts';
import { Installs } from './channels/installs.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { AnswerWriter } from './contract/answer-writer.ts';
import type { SocketTools } from './contract/listener.ts';
import { Conversations } from './conversations/conversations.ts';
import { Inbox } from './conversations/inbox/inbox.ts';
import { createSummaryScheduler } from './conversations/summary-schedule.ts';
import { AppError } from './errors.ts';
import { Readiness } from './health/readiness.ts';
import { IdempotentRequests } from './idempotency/idempotent-requests.ts';
import type { AcceptDeliveries } from './inbound/accept-deliveries.ts';
import { acceptDeliveries } from './inbound/accept-deliveries.ts';
import { releaseStaleLeases } from './inbound/lane.ts';
import { LaneHandover, LaneLeaseBatcher } from './inbound/lane-work.ts';
import { DeliveryBatcher, receiveDeliveries } from './inbound/receive-deliveries.ts';
import { wakeLaneInBackground } from './inbound/wake-lanes.ts';
import { type Installation, isWeakToken, openInstallation } from './installation.ts';
import { Corpora } from './knowledge/corpus/corpora.ts';
import { Documents } from './knowledge/documents.ts';
import type { Embedder } from './knowledge/embedding/embedder.ts';
import { openEmbedder } from './knowledge/embedding/open-embedder.ts';
import { createDocumentWaker } from './knowledge/indexing/ingest-jobs.ts';
import { DocumentReader } from './knowledge/read/document-reader.ts';
import { Admission } from './limits/admission.ts';
import { GuessLimit } from './limits/guess-limit.ts';
import { PublicRateLimit } from './limits/public-rate.ts';
import { MessageQuota } from './limits/quota.ts';
import { VisitorRateLimit } from './limits/visitor-rate.ts';
import type { Logger } from './log.ts';
import { createLogThrottle } from './log.ts';
import { Metrics, withEmbedderMetrics } from './metrics/metrics.ts';
import { RateLimitHolds } from './outbound/send-budgets.ts';
import { BudgetWaitQueue, PlatformOutages, sendConcurrency } from './outbound/send-queue.ts';
import { SentPartBatcher } from './outbound/sent-batches.ts';
import { noJournal, openSentJournal, type SentJournal } from './outbound/sent-journal.ts';
import { ProcessRegistry } from './process/process-registry.ts';
import { AdaptiveConcurrency } from './queue/adaptive-concurrency.ts';
import { type JobQueue, openQueue } from './queue/queue.ts';
import { HttpSkills } from './skills/http/http-skills.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { Notifications } from './storage/notifications.ts';
import { Settings } from './storage/settings.ts';
import { ConnectorThreads } from './threads/thread-pool.ts';
import { Challenges } from './visitors/challenges.ts';
import { Visitors } from './visitors/visitors.ts';
import { createDeliveryScheduler, type ScheduleDeliveries } from './webhooks/event-transaction.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { ApiKeys } from './workspaces/api-keys.ts';
import { Secrets } from './workspaces/secrets.ts';
import { Workspaces } from './workspaces/workspaces.ts';

/** Everything that servers and workers are built from; opened once a process, at its root. */
export interface Runtime {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: Database;
  readonly queue: JobQueue;
  readonly embedder: Embedder;
  readonly reader: DocumentReader;
  readonly corpora: Corpora;
  readonly installation: Installation;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly workspaces: Workspaces;
  readonly apiKeys: ApiKeys;
  readonly admission: Admission;
  /** Every credential that a client shows passes it before it is looked up. */
  readonly guesses: GuessLimit;
  readonly quota: MessageQuota;
  readonly idempotentRequests: IdempotentRequests;
  readonly publicRate: PublicRateLimit;
  readonly processes: ProcessRegistry;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly documents: Documents;
  readonly conversations: Conversations;
  /** Null: answers are quoted from the documents. */
  readonly writer: AnswerWriter | null;
  /** Asks a language model for a short text; null where none is configured. */
  readonly complete: Complete | null;
  readonly inbox: Inbox;
  readonly visitors: Visitors;
  readonly visitorRate: VisitorRateLimit;
  readonly challenges: Challenges;
  /** Under the id of a visitor: a person replied, or the status of the conversation changed. */
  readonly visitorNews: Notifications;
  readonly webhooks: Webhooks;
  readonly wakeDeliveries: ScheduleDeliveries;
  readonly httpSkills: HttpSkills;
  readonly connectors: ConnectorRegistry;
  readonly connectorCalls: ConnectorCalls;
  /** What is sent in channels passes it, until that is noted. */
  readonly sendingGate: AdaptiveConcurrency;
  /** What waits for a budget of its platform. */
  readonly heldBack: RateLimitHolds;
  readonly outages: PlatformOutages;
  readonly sendingLines: BudgetWaitQueue;
  readonly sentJournal: SentJournal;
  readonly sentBatches: SentPartBatcher;
  readonly laneBatches: LaneLeaseBatcher;
  readonly takenLanes: LaneHandover;
  readonly channels: Channels;
  readonly installs: Installs;
  readonly channelAccounts: ChannelAccounts;
  /** What platforms post is handed to it. */
  readonly inbound: { readonly accept: AcceptDeliveries };
  readonly openSocketTools: OpenSocketTools;
  close(): Promise<void>;
}

/** Opens what a connector answers over a socket with, until `signal` is aborted. The workers have it. */
export type OpenSocketTools = (runtime: Runtime, account: OpenedAccount, signal: AbortSignal) => SocketTools;

/** What a runtime is opened with beside its configuration; the real ones when absent. */
interface RuntimeParts {
  readonly clock?: Clock;
  readonly openDatabase?: typeof openDatabase;
  readonly openEmbedder?: typeof openEmbedder;
  /** The channels that there are; none when absent. They may still be loading. */
  readonly connectors?: ConnectorRegistry | Promise<ConnectorRegistry>;
  /** A process without it serves no sockets. It may still be loading. */
  readonly openSocketTools?: OpenSocketTools | Promise<OpenSocketTools>;
}

/** What hangs then keeps no process from its end. */
const closeTimeoutMs = 8_000;

const noConnectors: ConnectorRegistry = { connectors: [], findConnector: () => undefined };

const noSocketTools: OpenSocketTools = () => {
  throw new AppError('internal_error', { detail: 'This process serves no sockets.' });
};

/** Throws StartErrors; whatever was opened by then is closed again. */
export async function openRuntime(config: Config, log: Logger, parts: RuntimeParts = {}): Promise<Runtime> {
  const { clock = systemClock } = parts;
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  const close = async () => {
    if (!(await withTimeout(closeTimeoutMs, closeAll()))) log.warn('not everything could be closed in time');
  };
  try {
    const remote = findEmbeddingModel(config);
    const metrics = new Metrics();
    const count: CountCalls = (model, outcome) => metrics.modelCalled(model, outcome);
    // Each has threads or connections of its own to wait for.
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
    const embedder = withEmbedderMetrics(loaded, metrics);
    const reader = new DocumentReader();
    opened.push(() => reader.close());
    const stores = { database: database.kysely, clock };
    const corpora = new Corpora({ ...stores, log, bytes: config.SEARCH_MEMORY_MB * 2 ** 20 });
    opened.push(() => corpora.idle());
    const wakeDeliveries = createDeliveryScheduler(queue, log);
    const models = await openModels({ config, log, clock, count });
    const wakeSummary = models.complete === null ? undefined : createSummaryScheduler(queue, log);
    const telling = { ...stores, wakeDeliveries };
    const processes = new ProcessRegistry({ ...stores, log, alone });
    await processes.open();
    if (alone) await releaseStaleLeases(stores.database);
    opened.push(() => processes.close());
    const admission = new Admission({ ...stores, log, processId: processes.id });
    opened.push(() => admission.close());
    const channelFetch = openChannelFetch({ allowPrivate: config.ALLOW_PRIVATE_CHANNELS });
    opened.push(() => channelFetch.close());
    const threads = new ConnectorThreads();
    opened.push(() => threads.close());
    const connectorCalls = new ConnectorCalls({
      clock,
      log,
      fetch: channelFetch.fetch,
      resolve: channelFetch.resolve,
      threads,
      count: (channel, outcome) => metrics.channels.called(channel, outcome),
    });
    const visitorNews = new Notifications({ pool: database.pool, channel: 'visitor_news', log });
    opened.push(() => visitorNews.close());
    const isNews = createLogThrottle(clock);
    const sealed = {
      ...stores,
      secretBox: installation.secretBox,
      publicUrl: config.PUBLIC_URL,
      tellUnreadable: tellUnreadable(log, isNews),
    };
    const channelAccounts = new ChannelAccounts({ ...sealed, urgent: database.urgent });
    const linked = { ...sealed, registry: connectors, calls: connectorCalls, accounts: channelAccounts };
    const channels = new Channels({ ...linked, log });
    const takenLanes = new LaneHandover();
    const batches = new DeliveryBatcher((channel, deliveries) =>
      receiveDeliveries({ database: database.urgent, clock, log, queue, takenLanes }, channel, deliveries),
    );
    const conversations = new Conversations({ ...telling, wakeSummary });
    const sentBatches = new SentPartBatcher({ database: database.urgent, conversations });
    const sentJournal = await openJournal({ config, log, isNews, alone, databaseId, sentBatches, processes });
    opened.push(async () => sentJournal.close());
    const sendingLines = new BudgetWaitQueue({
      now: () => clock.now().getTime(),
      call: (key) => wakeLaneInBackground({ queue, log }, { name: 'deliver', id: randomUUID(), key }),
    });
    opened.push(async () => sendingLines.close());
    const intake = { batches, clock, log, connectors, connectorCalls, channelAccounts, isNews };
    return {
      config,
      log,
      clock,
      database,
      queue,
      embedder,
      reader,
      corpora,
      installation,
      settings,
      secrets: new Secrets({ ...stores, ...installation, settings, log, alone }),
      workspaces: new Workspaces({ ...stores, secretBox: installation.secretBox }),
      apiKeys: new ApiKeys(stores),
      admission,
      guesses: new GuessLimit({ clock, log, count: (kind) => metrics.authFailed(kind) }),
      quota: new MessageQuota(stores),
      idempotentRequests: new IdempotentRequests({ ...stores, processId: processes.id }),
      publicRate: new PublicRateLimit(stores),
      processes,
      readiness: new Readiness({ processes, queue, embedder, log }),
      metrics,
      documents: new Documents({
        ...telling,
        wake: createDocumentWaker({ database, processes, queue, log }),
      }),
      conversations,
      ...models,
      inbox: new Inbox(telling),
      visitors: new Visitors(stores),
      visitorRate: new VisitorRateLimit(stores),
      challenges: new Challenges({ ...stores, key: installation.secretBox.derive('visitor challenge') }),
      visitorNews,
      webhooks: new Webhooks({ ...telling, secretBox: installation.secretBox }),
      wakeDeliveries,
      httpSkills: new HttpSkills({
        ...stores,
        log,
        secretBox: installation.secretBox,
        allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS,
      }),
      connectors,
      connectorCalls,
      sendingGate: new AdaptiveConcurrency(sendConcurrency({ journal: sentJournal !== noJournal })),
      heldBack: new RateLimitHolds({ ...stores, log }),
      outages: new PlatformOutages({ now: () => clock.now().getTime() }),
      sendingLines,
      sentBatches,
      sentJournal,
      laneBatches: new LaneLeaseBatcher(stores),
      takenLanes,
      channelAccounts,
      channels,
      installs: new Installs({ ...linked, channels }),
      inbound: {
        accept: (account, deliveries) => acceptDeliveries(intake, account, deliveries),
      },
      openSocketTools,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface JournalOptions extends Pick<Runtime, 'config' | 'log' | 'sentBatches' | 'processes'> {
  readonly alone: boolean;
  readonly databaseId: string;
  readonly isNews: (what: string) => boolean;
}

const journalWarning =
  'DATA_DIR cannot be written to: what is being sent when this process is killed may be sent again';

/** Other databases may be used with the same folder at other times: each has a journal of its own. */
async function openJournal({
  config,
  log,
  isNews,
  alone,
  databaseId,
  sentBatches,
  processes,
}: JournalOptions): Promise<SentJournal> {
  const name = alone ? 'sent' : `sent-${databaseId}`;
  return openSentJournal({
    folder: join(config.DATA_DIR, name),
    processId: processes.id,
    lives: (processId) => processes.isAlive(processId),
    settle: (sent) => sentBatches.settle(sent, { mayWait: false }),
    warn: (err) => {
      if (isNews(journalWarning)) log.info({ err }, journalWarning);
    },
  });
}
