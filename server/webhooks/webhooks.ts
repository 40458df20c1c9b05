import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runInBackground, withTimeout } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import { createLogThrottle } from '../../core/base/log.ts';
import type { OpenedAccount } from '../../core/channels/accounts/channel-account.ts';
import { recordActivity } from '../../core/channels/accounts/channel-accounts.ts';
import { createSecretMask } from '../../core/channels/connector-calls.ts';
import { disclosureText } from '../../core/channels/disclosure.ts';
import { PullDelivery } from '../../core/channels/outbound/pull-delivery.ts';
import type { HttpAnswer, RawRequest, WebhookIntake, WebhookReading } from '../../core/contract/webhook.ts';
import type { WebhookOutcome } from '../../core/metrics/metrics.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { WorkspaceSettings } from '../../core/workspaces/workspace-settings.ts';
import type { Drain } from '../drain.ts';
import type { TypedApp } from '../typed-app.ts';
import { loadRequestChannel, requestChannel } from './find-channel.ts';
import { PlatformSockets, type SocketLimits } from './sockets.ts';

interface WebhooksOptions {
  readonly drain: Drain;
  readonly sockets?: Partial<SocketLimits> | undefined;
}

const socketLimits: SocketLimits = { silenceMs: 5_000, pending: 200, pingMs: 20_000 };

/** Registers `/webhooks/{chan_id}`: the webhooks of all platforms, with any method. */
export function webhookRoutes(
  app: TypedApp,
  runtime: Runtime,
  { drain, sockets: limits }: WebhooksOptions,
): void {
  const collections = new PullDelivery(runtime);
  const respond = async (reading: WebhookReading, request: FastifyRequest, reply: FastifyReply) => {
    const { account } = requestChannel.get(request);
    const accept = () => storeDeliveries(account, reading, runtime);
    if (reading.kind !== 'collection') {
      await accept();
      return reading.respond;
    }
    const { collect } = reading;
    const isGone = () => reply.raw.destroyed;
    const circumstances = { accept, signal: drain.signal, isGone };
    const [collected, disclosure] = await Promise.all([
      collections.collect(account, collect, circumstances),
      collect.greetsIn === undefined ? null : findDisclosure(runtime, account, collect.greetsIn),
    ]);
    return collect.respond(collected, disclosure);
  };
  parseRawBodies(app);
  loadRequestChannel(app, runtime);
  const shouldLog = createLogThrottle(runtime.clock);
  const sockets = new PlatformSockets(runtime, drain, { ...socketLimits, ...limits });
  const schema = { hide: true };
  const handleWebhook = async (request: FastifyRequest, reply: FastifyReply) => {
    const { channel } = requestChannel.get(request).account;
    const count = (outcome: WebhookOutcome) => runtime.metrics.webhookReceived(channel, outcome);
    const raw = toRawRequest(request);
    const greeting = requestChannel.get(request).webhook.greet?.(raw) ?? null;
    if (greeting !== null) return sendHttpAnswer(reply, greeting);
    if (!isVerified(request, raw, runtime)) {
      count('refused');
      recordRefusal(request, runtime);
      throw new AppError('invalid_signature');
    }
    try {
      const { webhook } = requestChannel.get(request);
      const reading = webhook.read(raw);
      const response = await respond(reading, request, reply);
      count(reading.kind === 'ignored' ? 'ignored' : 'accepted');
      if (reading.kind === 'ignored') logIgnored(request, reading.because, shouldLog);
      return sendHttpAnswer(reply, response);
    } catch (error) {
      count('failed');
      throw new AppError('event_not_stored', { cause: error });
    }
  };
  const url = '/:chan_id';
  app.route({
    method: 'GET',
    url,
    schema,
    exposeHeadRoute: false,
    preValidation: async (request) => {
      if (request.ws) admitSocket(request, runtime, sockets);
    },
    handler: handleWebhook,
    wsHandler: (socket, request) => sockets.serve(socket, request),
  });
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'GET'),
    url,
    schema,
    handler: handleWebhook,
  });
}

/** Opens a socket only after the platform's signature has been verified. */
function admitSocket(request: FastifyRequest, runtime: Runtime, sockets: PlatformSockets): void {
  const { account, connector } = requestChannel.get(request);
  const { socket } = connector.open(account);
  if (socket === undefined) throw new AppError('channel_not_found');
  if (!isVerified(request, toRawRequest(request), runtime, socket)) {
    runtime.metrics.webhookReceived(account.channel, 'refused');
    throw new AppError('invalid_signature');
  }
  sockets.admit(request.ip);
}

/** Verifies the signature. If the check itself fails, the request is treated as not sent by the platform. */
function isVerified(
  request: FastifyRequest,
  raw: RawRequest,
  { clock }: Runtime,
  intake: Pick<WebhookIntake, 'verify'> = requestChannel.get(request).webhook,
): boolean {
  const { account } = requestChannel.get(request);
  try {
    return intake.verify(raw, clock.now());
  } catch (error) {
    const fault = createSecretMask(account)(error instanceof Error ? (error.stack ?? error.message) : '');
    request.log.warn({ channel: account.id, fault }, 'webhook signature check failed');
    return false;
  }
}

/** Records in the background that a request with a wrong signature came: the operator sees it among the channel's checks. */
function recordRefusal(request: FastifyRequest, { channelAccounts, clock }: Runtime): void {
  const { id } = requestChannel.get(request).account;
  runInBackground(channelAccounts.recordRefusal(id, clock.now()), (err) =>
    request.log.warn({ err, channel: id }, 'storing a refused webhook failed'),
  );
}

/** Resolves when the deliveries are stored durably. */
async function storeDeliveries(
  account: OpenedAccount,
  reading: WebhookReading,
  runtime: Runtime,
): Promise<void> {
  if (reading.kind === 'deliveries' || reading.kind === 'collection')
    await runtime.inbound.accept(account, reading.deliveries);
  recordActivity(runtime, account.id);
}

/** A visitor waits for the greeting. */
const settingsWaitMs = 350;

/**
 * Returns the workspace's sentence that a machine answers. If the settings cannot be read in time, returns the built-in one:
 * a sentence too many harms less than none.
 */
async function findDisclosure(
  { workspaces, log }: Runtime,
  { workspaceId }: OpenedAccount,
  language: string,
): Promise<string | null> {
  let settings: WorkspaceSettings = {};
  const loading = workspaces.find(workspaceId).then((workspace) => {
    settings = workspace?.settings ?? {};
  });
  runInBackground(loading, (err) => log.error({ err }, 'settings for a greeting not read'));
  await withTimeout(settingsWaitMs, loading).catch(() => false);
  return disclosureText(settings, language);
}

function logIgnored(request: FastifyRequest, because: string, shouldLog: (what: string) => boolean): void {
  const { account } = requestChannel.get(request);
  if (!shouldLog(`${account.id} ${because}`)) return;
  request.log.info({ channel: account.id, because: createSecretMask(account)(because) }, 'webhook ignored');
}

function sendHttpAnswer(reply: FastifyReply, { status, contentType, body = '' }: HttpAnswer): FastifyReply {
  return reply
    .code(status)
    .type(contentType ?? 'text/plain; charset=utf-8')
    .send(body);
}

/** Parses all bodies as bytes, whatever their type, because signatures are computed over the bytes. */
export function parseRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Converts a request for connectors. If a parameter occurs several times, the first value counts. */
function toRawRequest({ method, raw, headers, body }: FastifyRequest): RawRequest {
  const [path = '', query = ''] = (raw.url ?? '').split(/\?(.*)/s, 2);
  const parameters = [...new URLSearchParams(query)].reverse();
  const lines = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    method,
    path,
    headers: Object.fromEntries(lines),
    query: Object.fromEntries(parameters),
    ...(query !== '' && { search: `?${query}` }),
    body: body instanceof Uint8Array ? body : new Uint8Array(),
  };
}
