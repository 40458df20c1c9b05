import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CountCalls } from './answering/models/circuit-breaker.ts';
import type { Complete } from './answering/models/complete.ts';
import { embeddingModel } from './answering/models/provider-settings.ts';
import { openModels } from './answering/open-models.ts';
import { atMost, openAtOnce } from './async.ts';
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
import { summaryWaker } from './conversations/summary-schedule.ts';
import { AppError } from './errors.ts';
import { Readiness } from './health/readiness.ts';
import { IdempotentRequests } from './idempotency/idempotent-requests.ts';
import type { AcceptDeliveries } from './inbound/accept-deliveries.ts';
import { takeDeliveries } from './inbound/accept-deliveries.ts';
import { freeHeld } from './inbound/lane.ts';
import { LaneBatches, TakenLanes } from './inbound/lane-work.ts';
import { DeliveryBatches, receiveDeliveries } from './inbound/receive-deliveries.ts';
import { wakeLaneInBackground } from './inbound/wake-lanes.ts';
import { type Installation, isWeakToken, openInstallation } from './installation.ts';
import { Corpora } from './knowledge/corpus/corpora.ts';
import { Documents } from './knowledge/documents.ts';
import type { Embedder } from './knowledge/embedding/embedder.ts';
import { openEmbedder } from './knowledge/embedding/open-embedder.ts';
import { documentWaker } from './knowledge/indexing/ingest-jobs.ts';
import { DocumentReader } from './knowledge/read/document-reader.ts';
import { Admission } from './limits/admission.ts';
import { GuessLimit } from './limits/guess-limit.ts';
import { PublicRate } from './limits/public-rate.ts';
import { Quota } from './limits/quota.ts';
import { VisitorRate } from './limits/visitor-rate.ts';
import type { Logger } from './log.ts';
import { onceInAWhile } from './log.ts';
import { Metrics, measuredEmbedder } from './metrics/metrics.ts';
import { HeldBack } from './outbound/send-budgets.ts';
import { Outages, SendingLines, sendingAtOnce } from './outbound/send-queue.ts';
import { SentBatches } from './outbound/sent-batches.ts';
import { noJournal, openSentJournal, type SentJournal } from './outbound/sent-journal.ts';
import { Processes } from './process/process-registry.ts';
import { BusyGate } from './queue/adaptive-concurrency.ts';
import { type JobQueue, openQueue } from './queue/queue.ts';
import { HttpSkills } from './skills/http/http-skills.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { NoticeBoard } from './storage/notifications.ts';
import { Settings } from './storage/settings.ts';
import { ConnectorThreads } from './threads/thread-pool.ts';
import { Challenges } from './visitors/challenges.ts';
import { Visitors } from './visitors/visitors.ts';
import { deliveryWaker, type WakeDeliveries } from './webhooks/event-transaction.ts';
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
  readonly quota: Quota;
  readonly idempotentRequests: IdempotentRequests;
  readonly publicRate: PublicRate;
  readonly processes: Processes;
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
  readonly visitorRate: VisitorRate;
  readonly challenges: Challenges;
  /** Under the id of a visitor: a person replied, or the status of the conversation changed. */
  readonly visitorNews: NoticeBoard;
  readonly webhooks: Webhooks;
  readonly wakeDeliveries: WakeDeliveries;
  readonly httpSkills: HttpSkills;
  readonly connectors: ConnectorRegistry;
  readonly connectorCalls: ConnectorCalls;
  /** What is sent in channels passes it, until that is noted. */
  readonly sendingGate: BusyGate;
  /** What waits for a budget of its platform. */
  readonly heldBack: HeldBack;
  readonly outages: Outages;
  readonly sendingLines: SendingLines;
  readonly sentJournal: SentJournal;
  readonly sentBatches: SentBatches;
  readonly laneBatches: LaneBatches;
  readonly takenLanes: TakenLanes;
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
const closeMs = 8_000;

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
    if (!(await atMost(closeMs, closeAll()))) log.warn('not everything could be closed in time');
  };
  try {
    const remote = embeddingModel(config);
    const metrics = new Metrics();
    const count: CountCalls = (model, outcome) => metrics.modelCalled(model, outcome);
    // Each has threads or connections of its own to wait for.
    const [database, loaded] = await openAtOnce(
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
    const embedder = measuredEmbedder(loaded, metrics);
    const reader = new DocumentReader();
    opened.push(() => reader.close());
    const stores = { database: database.kysely, clock };
    const corpora = new Corpora({ ...stores, log, bytes: config.SEARCH_MEMORY_MB * 2 ** 20 });
    opened.push(() => corpora.idle());
    const wakeDeliveries = deliveryWaker(queue, log);
    const models = await openModels({ config, log, clock, count });
    const wakeSummary = models.complete === null ? undefined : summaryWaker(queue, log);
    const telling = { ...stores, wakeDeliveries };
    const processes = new Processes({ ...stores, log, alone });
    await processes.open();
    if (alone) await freeHeld(stores.database);
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
    const visitorNews = new NoticeBoard({ pool: database.pool, channel: 'visitor_news', log });
    opened.push(() => visitorNews.close());
    const isNews = onceInAWhile(clock);
    const sealed = {
      ...stores,
      secretBox: installation.secretBox,
      publicUrl: config.PUBLIC_URL,
      tellUnreadable: tellUnreadable(log, isNews),
    };
    const channelAccounts = new ChannelAccounts({ ...sealed, urgent: database.urgent });
    const linked = { ...sealed, registry: connectors, calls: connectorCalls, accounts: channelAccounts };
    const channels = new Channels({ ...linked, log });
    const takenLanes = new TakenLanes();
    const batches = new DeliveryBatches((channel, deliveries) =>
      receiveDeliveries({ database: database.urgent, clock, log, queue, takenLanes }, channel, deliveries),
    );
    const conversations = new Conversations({ ...telling, wakeSummary });
    const sentBatches = new SentBatches({ database: database.urgent, conversations });
    const sentJournal = await openJournal({ config, log, isNews, alone, databaseId, sentBatches, processes });
    opened.push(async () => sentJournal.close());
    const sendingLines = new SendingLines({
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
      quota: new Quota(stores),
      idempotentRequests: new IdempotentRequests({ ...stores, processId: processes.id }),
      publicRate: new PublicRate(stores),
      processes,
      readiness: new Readiness({ processes, queue, embedder, log }),
      metrics,
      documents: new Documents({
        ...telling,
        wake: documentWaker({ database, processes, queue, log }),
      }),
      conversations,
      ...models,
      inbox: new Inbox(telling),
      visitors: new Visitors(stores),
      visitorRate: new VisitorRate(stores),
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
      sendingGate: new BusyGate(sendingAtOnce({ journal: sentJournal !== noJournal })),
      heldBack: new HeldBack({ ...stores, log }),
      outages: new Outages({ now: () => clock.now().getTime() }),
      sendingLines,
      sentBatches,
      sentJournal,
      laneBatches: new LaneBatches(stores),
      takenLanes,
      channelAccounts,
      channels,
      installs: new Installs({ ...linked, channels }),
      inbound: {
        accept: (account, deliveries) => takeDeliveries(intake, account, deliveries),
      },
      openSocketTools,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Journaling extends Pick<Runtime, 'config' | 'log' | 'sentBatches' | 'processes'> {
  readonly alone: boolean;
  readonly databaseId: string;
  readonly isNews: (what: string) => boolean;
}

const notWritable =
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
}: Journaling): Promise<SentJournal> {
  const name = alone ? 'sent' : `sent-${databaseId}`;
  return openSentJournal({
    folder: join(config.DATA_DIR, name),
    processId: processes.id,
    lives: (processId) => processes.lives(processId),
    settle: (sent) => sentBatches.settle(sent, { mayWait: false }),
    warn: (err) => {
      if (isNews(notWritable)) log.info({ err }, notWritable);
    },
  });
}
