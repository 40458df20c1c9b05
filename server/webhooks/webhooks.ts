import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutSecrets } from '../../core/channels/without-secrets.ts';
import type { HttpAnswer, RawRequest, WebhookReading } from '../../core/contract/webhook-intake.ts';
import { AppError } from '../../core/errors.ts';
import type { WebhookOutcome } from '../../core/metrics/webhook-outcome.ts';
import { onceInAWhile } from '../../core/once-in-a-while.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { addressedChannel } from './addressed-channel.ts';
import { findChannel } from './find-channel.ts';
import { rawBody } from './raw-body.ts';
import { rawRequest } from './raw-request.ts';

/** `/webhooks/{chan_id}`: what the platforms of all channels post, whatever their method. */
export function webhooks(app: TypedApp, runtime: Runtime): void {
  rawBody(app);
  findChannel(app, runtime);
  const isNews = onceInAWhile(runtime.clock);
  app.all('/:chan_id', { schema: { hide: true } }, async (request, reply) => {
    const { channel } = addressedChannel.of(request).account;
    const count = (outcome: WebhookOutcome) => runtime.metrics.webhookReceived(channel, outcome);
    const raw = rawRequest(request);
    const greeting = addressedChannel.of(request).webhook.greet?.(raw) ?? null;
    if (greeting !== null) return answer(reply, greeting);
    if (!isVerified(request, raw, runtime)) {
      count('refused');
      throw new AppError('invalid_signature');
    }
    try {
      const reading = await take(request, raw, runtime);
      count(reading.kind === 'ignored' ? 'ignored' : 'accepted');
      if (reading.kind === 'ignored') tellIgnored(request, reading.because, isNews);
      return answer(reply, reading.kind === 'collection' ? reading.collect.respond([]) : reading.respond);
    } catch (error) {
      count('failed');
      throw new AppError('event_not_stored', { cause: error });
    }
  });
}

/** What makes the check itself stumble was not sent by the platform. */
function isVerified(request: FastifyRequest, raw: RawRequest, { clock }: Runtime): boolean {
  const { account, webhook } = addressedChannel.of(request);
  try {
    return webhook.verify(raw, account, clock.now());
  } catch (error) {
    const fault = withoutSecrets(account)(error instanceof Error ? (error.stack ?? error.message) : '');
    request.log.warn({ channel: account.id, fault }, 'a connector could not check a signature');
    return false;
  }
}

async function take(request: FastifyRequest, raw: RawRequest, runtime: Runtime): Promise<WebhookReading> {
  const { account, webhook } = addressedChannel.of(request);
  await runtime.channelAccounts.heard(account.id, runtime.clock.now());
  const reading = webhook.read(raw, account);
  if (reading.kind === 'deliveries' || reading.kind === 'collection')
    await runtime.inbound.accept(account, reading.deliveries);
  return reading;
}

function tellIgnored(request: FastifyRequest, because: string, isNews: (what: string) => boolean): void {
  const { account } = addressedChannel.of(request);
  if (!isNews(`${account.id} ${because}`)) return;
  request.log.info(
    { channel: account.id, because: withoutSecrets(account)(because) },
    'a webhook was ignored',
  );
}

function answer(reply: FastifyReply, { status, contentType, body = '' }: HttpAnswer): FastifyReply {
  return reply
    .code(status)
    .type(contentType ?? 'text/plain; charset=utf-8')
    .send(body);
}
