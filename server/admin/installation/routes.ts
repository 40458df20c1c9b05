import { sql } from 'kysely';
import { z } from 'zod';
import { copyRunning } from '../../../core/backup/embedded-backup.ts';
import { AppError } from '../../../core/base/errors.ts';
import { findMessageLife, type MessageLife } from '../../../core/channels/message-life.ts';
import { modelName } from '../../../core/config/model-choice.ts';
import { listNeeds, listSecretAges } from '../../../core/health/needs.ts';
import type { PartReport } from '../../../core/health/part.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { LiveProcess } from '../../../core/storage/process-registry.ts';
import {
  countInstallation,
  type ListedWorkspace,
  listInstallation,
} from '../../../core/workspaces/installation-list.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { needs } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { installationSchema, installationWorkspaceSchema, messageLifeSchema } from './schema.ts';

/** Registers the routes with which an operator looks at the whole installation. */
export function installationRoutes(app: TypedApp, runtime: Runtime): void {
  getInstallation(app, runtime);
  listAllWorkspaces(app, runtime);
  getMessageLife(app, runtime);
  postCopy(app, runtime);
}

const getInstallationSchema = {
  ...operatorRoute,
  summary: 'Show the state of the installation',
  operationId: 'getInstallation',
  description:
    'Returns each part with what it promises and what was seen, the processes, what the installation lacks, its models and the age of its secrets. The parts are those of /readyz and of the doctor.',
  response: { 200: installationSchema },
};

function getInstallation(app: TypedApp, runtime: Runtime): void {
  app.get('/installation', { schema: getInstallationSchema, ...needs('operations:read') }, async () => {
    const { config, database, installation, processes, readiness } = runtime;
    const [parts, live, counts, bytes] = await Promise.all([
      readiness.report(),
      processes.listLive(),
      countInstallation(database.kysely),
      measureDatabase(runtime),
    ]);
    return {
      version: manifest.version,
      parts: parts.map(presentPart),
      processes: live.map(presentProcess),
      needs: [...listNeeds(config, installation, parts)],
      models: listModels(runtime),
      secrets: listSecretAges(config, installation).map(({ since, ...secret }) => ({
        ...secret,
        since: since?.toISOString() ?? null,
      })),
      storage: {
        engine: database.engine,
        bytes,
        queue: config.REDIS_URL === undefined ? ('database' as const) : ('redis' as const),
      },
      ...counts,
    };
  });
}

function presentPart({ worker, since, ...part }: PartReport) {
  return { ...part, worker: worker !== null, since: since.toISOString() };
}

function presentProcess({ id, roles, startedAt, seenSecondsAgo, facts }: LiveProcess) {
  return {
    id,
    host: facts.host ?? null,
    roles: [...roles],
    version: facts.version ?? null,
    started_at: startedAt.toISOString(),
    seen_seconds_ago: seenSecondsAgo,
    clock_ahead_ms: facts.clockAheadMs ?? null,
    disk_free_bytes: facts.diskFreeBytes ?? null,
  };
}

function listModels({ config, embedder, modelOutcomes: { paused } }: Runtime) {
  const choices = [
    ...config.LLM_MODELS.map((choice) => ({ use: 'answers', model: modelName(choice) })),
    ...(embedder.engine === 'none' ? [] : [{ use: 'search', model: embedder.model }]),
    ...[
      { use: 'order', choice: config.RERANK_MODEL },
      { use: 'recordings', choice: config.TRANSCRIPTION_MODEL },
      { use: 'pictures', choice: config.VISION_MODEL },
    ].flatMap(({ use, choice }) => (choice === undefined ? [] : [{ use, model: modelName(choice) }])),
  ];
  return choices.map(({ use, model }) => ({
    use,
    model,
    paused: paused.find((failing) => failing.model === model)?.kind ?? null,
  }));
}

async function measureDatabase({ database }: Pick<Runtime, 'database'>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float as bytes`.execute(database.kysely);
  return rows[0]?.bytes ?? 0;
}

const listAllSchema = {
  ...operatorRoute,
  summary: 'List all workspaces with what they use',
  operationId: 'listInstallationWorkspaces',
  description:
    'Returns the workspaces of all owners in pages, newest first, with counts and no contents. `search` is a part of the name, or the beginning of the id of the workspace or its owner.',
  querystring: pageQuerySchema.extend({ search: boundedString({ min: 0, max: 100 }).optional() }),
  response: {
    200: z.object({ workspaces: z.array(installationWorkspaceSchema), pagination: paginationSchema }),
  },
};

function listAllWorkspaces(app: TypedApp, { database, clock }: Runtime): void {
  const options = { schema: listAllSchema, ...needs('operations:read') };
  app.get('/installation/workspaces', options, async ({ query }) => {
    const page = await listInstallation(database.kysely, { ...query, now: clock.now() });
    return { workspaces: page.items.map(presentListed), pagination: presentPagination(page) };
  });
}

function presentListed(listed: ListedWorkspace): z.output<typeof installationWorkspaceSchema> {
  const { createdAt, ownerMessages, ownerLimit, lastMessageAt, ...fields } = listed;
  return {
    ...fields,
    created_at: createdAt.toISOString(),
    owner_messages: ownerMessages,
    owner_limit: Number.isFinite(ownerLimit) ? ownerLimit : null,
    last_message_at: lastMessageAt?.toISOString() ?? null,
  };
}

const getLifeSchema = {
  ...operatorRoute,
  summary: "Show a message's way through the installation",
  operationId: 'getMessageLife',
  description:
    "Finds a message by its id, by the id of the platform's event that it answers, or by the platform's id of a part of it. Returns times and states of its events and parts, and no contents. Events are kept for two days.",
  querystring: z.object({ id: boundedString({ min: 1, max: 500 }) }),
  response: { 200: messageLifeSchema, ...errorResponses('message_not_found') },
};

function getMessageLife(app: TypedApp, { database }: Runtime): void {
  const options = { schema: getLifeSchema, ...needs('operations:read') };
  app.get('/installation/message', options, async ({ query }) => {
    const life = await findMessageLife(database.kysely, query.id.trim());
    if (life === null) throw new AppError('message_not_found');
    return presentLife(life);
  });
}

function presentLife(life: MessageLife): z.output<typeof messageLifeSchema> {
  const { message } = life;
  return {
    workspace_id: life.workspaceId,
    channel_id: life.channelId,
    channel: life.channel,
    conversation_id: life.conversationId,
    events: life.events.map(({ eventId, receivedAt, dueAt, handledAt, attempts, failure }) => ({
      event_id: eventId,
      received_at: receivedAt.toISOString(),
      due_at: dueAt.toISOString(),
      handled_at: handledAt?.toISOString() ?? null,
      attempts,
      failure,
    })),
    message: message && {
      id: message.id,
      role: message.role,
      created_at: message.createdAt.toISOString(),
      latency_ms: message.latencyMs,
      confidence: message.confidence,
    },
    parts: life.parts.map(({ part, status, attempts, failure, ...times }) => ({
      part,
      status,
      attempts,
      failure,
      queued_at: times.queuedAt.toISOString(),
      next_attempt_at: times.nextAttemptAt.toISOString(),
      sent_at: times.sentAt?.toISOString() ?? null,
      status_at: times.statusAt?.toISOString() ?? null,
      platform_message_id: times.platformMessageId,
    })),
  };
}

const postCopySchema = {
  ...operatorRoute,
  summary: 'Copy the files of the embedded database',
  operationId: 'copyDatabase',
  description:
    'Copies the files into DATA_DIR for `parley backup`, which makes a backup of them. Statements wait meanwhile. A copy that nobody fetches is removed by a later one after an hour.',
  response: {
    201: z.object({ copy: z.string().meta({ description: 'The name of the copy.' }) }),
    ...errorResponses('copy_not_possible'),
  },
};

function postCopy(app: TypedApp, { database, config, clock, log }: Runtime): void {
  const options = { schema: postCopySchema, ...needs('installation:write') };
  app.post('/installation/copies', options, async (request, reply) => {
    const copy = await copyRunning(database, { folder: config.DATA_DIR, clock });
    log.info({ copy, request: request.id }, 'database copied');
    return reply.code(201).send({ copy });
  });
}
