import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import {
  type ChannelCheck,
  type ChannelEvidence,
  channelNotes,
  channelStates,
  checkIds,
  checkStates,
  countTalk,
  loadEvidence,
  toChecks,
  toNotes,
  toOverallState,
} from '../../../core/channels/accounts/channel-checks.ts';
import type { ChannelView } from '../../../core/channels/channel-view.ts';
import { type Failure, listFailures, retryFailures } from '../../../core/channels/inbound/failed-jobs.ts';
import {
  deliveryDirections,
  deliveryOutcomes,
  listDeliveries,
} from '../../../core/channels/inbound/recent-deliveries.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { emptyGuide, loadGuide } from '../../docs/channel-guide.ts';
import { publicBaseUrl } from '../../nlweb/public-workspace.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import {
  operatorRoute,
  requestAuthority,
  requestWorkspace,
  workspaceParamsSchema,
} from '../operator-route.ts';
import { guideSchema, presentGuide } from './kinds.ts';
import { channelParamsSchema, channelSchema, presentChannel, type Viewer } from './schema.ts';

/** Registers the routes for the evidence that channels work: their checks, deliveries and failures. */
export function channelCheckRoutes(app: TypedApp, runtime: Runtime): void {
  listStates(app, runtime);
  getChecks(app, runtime);
  postCheck(app, runtime);
  listChannelDeliveries(app, runtime);
  listChannelFailures(app, runtime);
  retryChannel(app, runtime);
}

const overallState = z.enum(channelStates).meta({
  description:
    'refused: the platform refuses it, see last_error. stale: silent for too long. unproven: a check is not green yet. off: disabled.',
});

const checkSchema = z
  .object({
    id: z.enum(checkIds).meta({
      description:
        'credentials: the platform accepted them. connection: the platform reached this installation, or Parley is connected to it. signature: a request had the right signature. message: a visitor wrote. answer: an answer was sent.',
    }),
    state: z.enum(checkStates).meta({ description: 'blocked: not possible until PUBLIC_URL is set.' }),
    at: z.iso.datetime().nullable().meta({ description: 'When it was seen, or when it failed.' }),
    detail: z.string().nullable().meta({ description: "Why it failed, in the platform's words." }),
  })
  .meta({ id: 'ChannelCheck' });

const checksSchema = z
  .object({
    channel: channelSchema,
    state: overallState,
    checks: z.array(checkSchema).meta({ description: 'In the order in which they happen.' }),
    notes: z.array(z.enum(channelNotes)).meta({
      description:
        'group_privacy: in groups the bot receives commands, mentions and replies only, until its privacy mode is switched off on the platform.',
    }),
    waiting_parts: z.int().nonnegative().meta({ description: 'Parts of answers that wait to be sent.' }),
    failures: z.int().nonnegative(),
    guide: guideSchema.meta({ description: 'The set-up steps with the address of this channel.' }),
  })
  .meta({ id: 'ChannelChecks' });

const stateSchema = z
  .object({
    channel_id: z.string(),
    state: overallState,
    checks_done: z.int().nonnegative(),
    checks_total: z.int().nonnegative(),
    waiting_parts: z.int().nonnegative(),
    failures: z.int().nonnegative(),
    questions: z.int().nonnegative(),
    replies: z.int().nonnegative(),
    answered: z.int().nonnegative().meta({ description: 'Replies without those of low confidence.' }),
  })
  .meta({ id: 'ChannelState' });

const dayMs = 86_400_000;
const most = 100;

const listStatesSchema = {
  ...operatorRoute,
  summary: 'Show how the channels of a workspace are doing',
  operationId: 'listChannelStates',
  description:
    'Returns the state of each channel, how many of its checks are green, what waits, and the questions of the last 24 hours. At most the newest 100 channels.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      states: z.array(stateSchema),
      api: z
        .object({
          questions: z.int().nonnegative(),
          replies: z.int().nonnegative(),
          answered: z.int().nonnegative(),
        })
        .meta({ description: 'The last 24 hours of the public API.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

const noTalk = { questions: 0, replies: 0, answered: 0 };

function listStates(app: TypedApp, runtime: Runtime): void {
  app.get('/channel-states', { schema: listStatesSchema, ...needs('channels:read') }, async (request) => {
    const { channels, database, clock } = runtime;
    const workspaceId = requestWorkspace.get(request).id;
    const { items } = await channels.list(workspaceId, { limit: most });
    const since = new Date(clock.now().getTime() - dayMs);
    const [evidence, talk] = await Promise.all([
      loadEvidence(
        database.kysely,
        workspaceId,
        items.map(({ id }) => id),
      ),
      countTalk(database.kysely, workspaceId, since),
    ]);
    const states = items.flatMap((channel) => {
      const proof = evidence.get(channel.id);
      if (proof === undefined) return [];
      const checks = toChecks(channel, proof);
      return [
        {
          channel_id: channel.id,
          state: toOverallState(channel, checks),
          checks_done: checks.filter(({ state }) => state === 'done').length,
          checks_total: checks.length,
          waiting_parts: proof.waitingParts,
          failures: proof.failures,
          ...(talk.get(channel.id) ?? noTalk),
        },
      ];
    });
    return { states, api: talk.get('api') ?? noTalk };
  });
}

const checkErrors = errorResponses('workspace_not_found', 'channel_not_found');

const getChecksSchema = {
  ...operatorRoute,
  summary: 'Show what proves that a channel works',
  operationId: 'getChannelChecks',
  description: 'Returns the checks of a channel with their evidence. It asks the platform nothing.',
  params: channelParamsSchema,
  response: { 200: checksSchema, ...checkErrors },
};

function getChecks(app: TypedApp, runtime: Runtime): void {
  app.get(
    '/channels/:chan_id/checks',
    { schema: getChecksSchema, ...needs('channels:read') },
    async (request) => {
      const workspaceId = requestWorkspace.get(request).id;
      const channel = await runtime.channels.get(workspaceId, request.params.chan_id);
      return presentChecks(runtime, channel, {
        base: publicBaseUrl(runtime.config, request),
        authority: requestAuthority(request),
      });
    },
  );
}

const postCheckSchema = {
  ...operatorRoute,
  summary: 'Check a channel again',
  operationId: 'checkChannel',
  description:
    'Asks the platform again whether it accepts the credentials, registers the webhook anew, and returns the checks. A refusal stands in the check, in the words of the platform.',
  params: channelParamsSchema,
  response: { 200: checksSchema, ...checkErrors },
};

function postCheck(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/channels/:chan_id/check',
    { schema: postCheckSchema, ...needs('channels:write') },
    async (request) => {
      const workspaceId = requestWorkspace.get(request).id;
      const channel = await runtime.channels.check(workspaceId, request.params.chan_id);
      return presentChecks(runtime, channel, {
        base: publicBaseUrl(runtime.config, request),
        authority: requestAuthority(request),
      });
    },
  );
}

async function presentChecks(
  { database, connectors }: Runtime,
  channel: ChannelView,
  viewer: Viewer,
): Promise<z.output<typeof checksSchema>> {
  const evidence = await loadEvidence(database.kysely, channel.workspaceId, [channel.id]);
  const proof = evidence.get(channel.id);
  if (proof === undefined) throw new AppError('channel_not_found');
  const shown = presentChannel(channel, viewer);
  const connector = connectors.findConnector(channel.channel);
  const facts = { name: channel.name, webhookUrl: shown.webhook_url };
  const values = {
    ...connector?.guideValues?.(facts),
    ...(shown.webhook_url !== null && { webhook_url: shown.webhook_url }),
    ...(shown.script_tag !== null && { script_tag: shown.script_tag }),
    ...(shown.test_url !== null && { test_url: shown.test_url }),
  };
  const checks = toChecks(channel, proof);
  return {
    channel: shown,
    state: toOverallState(channel, checks),
    checks: checks.map(presentCheck),
    notes: toNotes(channel),
    ...presentBacklog(proof),
    guide: presentGuide(connector === undefined ? emptyGuide : await loadGuide(connector.about.page, values)),
  };
}

function presentCheck({ id, state, at, detail }: ChannelCheck): z.output<typeof checkSchema> {
  return { id, state, at: at?.toISOString() ?? null, detail };
}

function presentBacklog({ waitingParts, failures }: ChannelEvidence) {
  return { waiting_parts: waitingParts, failures };
}

const deliverySchema = z
  .object({
    direction: z
      .enum(deliveryDirections)
      .meta({ description: 'in: an event of a visitor. out: a part of an answer.' }),
    outcome: z.enum(deliveryOutcomes).meta({ description: 'handled: an event that needs no answer.' }),
    reason: z.string().nullable(),
    attempts: z.int().nonnegative(),
    at: z.iso.datetime(),
    ms: z.number().nullable().meta({ description: 'Until it was answered or sent. Null while it waits.' }),
  })
  .meta({ id: 'ChannelDelivery' });

const listDeliveriesSchema = {
  ...operatorRoute,
  summary: 'List the last deliveries of a channel',
  operationId: 'listChannelDeliveries',
  description:
    'Returns the last 50 events and parts of answers, latest first, without their contents. Events are kept for two days.',
  params: channelParamsSchema,
  response: { 200: z.object({ deliveries: z.array(deliverySchema) }), ...checkErrors },
};

function listChannelDeliveries(app: TypedApp, { channels, database }: Runtime): void {
  app.get(
    '/channels/:chan_id/deliveries',
    { schema: listDeliveriesSchema, ...needs('channels:read') },
    async (request) => {
      const workspaceId = requestWorkspace.get(request).id;
      const { id: channelId } = await channels.get(workspaceId, request.params.chan_id);
      const deliveries = await listDeliveries(database.kysely, { workspaceId, channelId });
      return { deliveries: deliveries.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })) };
    },
  );
}

const queueNames = ['answer', 'deliver'] as const;

const failureSchema = z
  .object({
    id: z.string(),
    queue: z.enum(queueNames).meta({
      description: 'answer: a message without an answer. deliver: a part that was not sent.',
    }),
    conversation_id: z.string().nullable(),
    reason: z.string().nullable(),
    attempts: z.int().nonnegative(),
    retriable: z.boolean().meta({ description: 'false if the platform rejected the message permanently.' }),
    at: z.iso.datetime(),
  })
  .meta({ id: 'ChannelFailure' });

const listFailuresSchema = {
  ...operatorRoute,
  summary: 'List what failed in a channel',
  operationId: 'listChannelFailures',
  description:
    'Returns at most 50 unanswered messages and 50 unsent parts, latest first, each with its reason.',
  params: channelParamsSchema,
  response: { 200: z.object({ failures: z.array(failureSchema) }), ...checkErrors },
};

function listChannelFailures(app: TypedApp, { channels, database }: Runtime): void {
  app.get(
    '/channels/:chan_id/failures',
    { schema: listFailuresSchema, ...needs('channels:read') },
    async (request) => {
      const { id } = await channels.get(requestWorkspace.get(request).id, request.params.chan_id);
      const lists = queueNames.map(async (queue) => {
        const { items } = await listFailures(database.kysely, queue, { limit: 50 }, id);
        return items.map((failure) => presentFailure(queue, failure));
      });
      const failures = (await Promise.all(lists)).flat();
      return { failures: failures.sort((one, other) => other.at.localeCompare(one.at)) };
    },
  );
}

function presentFailure(
  queue: (typeof queueNames)[number],
  failure: Failure,
): z.output<typeof failureSchema> {
  const { number, conversationId, reason, attempts, isRetriable, at } = failure;
  return {
    id: number,
    queue,
    conversation_id: conversationId,
    reason,
    attempts,
    retriable: isRetriable,
    at: at.toISOString(),
  };
}

const retrySchema = {
  ...operatorRoute,
  summary: 'Retry what failed in a channel',
  operationId: 'retryChannel',
  description:
    'Queues unanswered messages and unsent parts again. Parts that the platform rejected permanently stay.',
  params: channelParamsSchema,
  response: { 200: z.object({ retried: z.int().nonnegative() }), ...checkErrors },
};

function retryChannel(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/channels/:chan_id/retry',
    { schema: retrySchema, ...needs('channels:write') },
    async (request) => {
      const { id } = await runtime.channels.get(requestWorkspace.get(request).id, request.params.chan_id);
      let retried = 0;
      for (const queue of queueNames) retried += await retryFailures(runtime, queue, id);
      return { retried };
    },
  );
}
