import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { z } from 'zod';
import { systemClock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { laneSessionId } from '../../../core/channels/inbound/lane.ts';
import type { WaitingEvent } from '../../../core/channels/inbound/lane-work.ts';
import { DeliveryBatcher, storeDeliveries } from '../../../core/channels/inbound/receive-deliveries.ts';
import { channelTurnCompanion, SentPartBatcher } from '../../../core/channels/outbound/sent-batches.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import { Conversations } from '../../../core/conversations/conversations.ts';
import type { Companion } from '../../../core/storage/companion.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';

/*
 * This program is the minimum that stores everything that the product stores of a message that begins a conversation:
 * its statements, gathered in the same way, without the owner's count of the month, and nothing around them. Its
 * messages per second are the limit that storing alone sets for the product.
 */

const environment = z
  .object({
    PORT: z.coerce.number(),
    API: z.string(),
    SECRET: z.string(),
    CHANNEL_ID: z.string(),
    WORKSPACE_ID: z.string(),
    DATABASE_URL: z.string().optional(),
    DATA_DIR: z.string().default(''),
  })
  .parse(process.env);

const updateSchema = z.object({
  update_id: z.number(),
  message: z.looseObject({ text: z.string(), chat: z.looseObject({ id: z.number() }) }),
});
const takenSchema = z.object({ result: z.object({ message_id: z.number() }) });
const committedSchema = z.object({ number: z.string() });

const text = 'Refunds are accepted within thirty days of purchase.';
const { CHANNEL_ID: channelId, WORKSPACE_ID: workspaceId } = environment;
const database = await openDatabase(
  { DATABASE_URL: environment.DATABASE_URL, DATA_DIR: environment.DATA_DIR },
  createLog('error'),
);
const conversations = new Conversations({ database: database.kysely, clock: systemClock });
const sentPartBatcher = new SentPartBatcher(database.kysely);
const deliveryBatches = new DeliveryBatcher(async (channel, deliveries) => {
  const leaseRequests = deliveries.map(({ lane }) => ({ lane, token: randomUUID() }));
  const now = systemClock.now();
  const { leased } = await storeDeliveries(database.urgent, { channel, deliveries, leaseRequests, now });
  for (const { lane, token } of leaseRequests) {
    // The platform is thanked first.
    for (const event of leased.get(lane)?.events ?? [])
      setImmediate(() => void answer({ lane, token, event }));
  }
  return deliveries;
});

interface Answering {
  readonly lane: string;
  readonly token: string;
  readonly event: WaitingEvent;
}

async function answer({ lane, token, event }: Answering): Promise<void> {
  const { message } = updateSchema.parse(event.native);
  let number = '';
  const turn = plainTurn(workspaceId, {
    channel: 'telegram',
    sessionId: laneSessionId({ channelId, lane }),
    question: message.text,
    answer: { ...plainTurn(workspaceId).answer, text },
  });
  await conversations.storeTurn(turn, () => beside());
  const response = await fetch(`${environment.API}/bot1:x/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: message.chat.id, text }),
  });
  const platformMessageId = `${takenSchema.parse(await response.json()).result.message_id}`;
  const sent = { channelId, lane, token, number, attempts: 1, platformMessageId, sentAt: systemClock.now() };
  await sentPartBatcher.settle(sent);

  function beside(): Companion {
    return {
      kind: channelTurnCompanion,
      values: {
        channel_id: channelId,
        lane,
        lane_token: token,
        address: { chat: message.chat.id },
        parts: [{ content: { html: text, text }, status: 'waiting', key: null, draft: null }],
        events: [event.number],
        said_at: systemClock.now().toISOString(),
      },
      errorOf: (error) => error,
      stored: (value) => {
        number = committedSchema.parse(value).number;
      },
    };
  }
}

const app = Fastify();
app.post('/telegram', async ({ headers, body }, reply) => {
  if (headers['x-telegram-bot-api-secret-token'] !== environment.SECRET) return reply.code(401).send();
  const update = updateSchema.parse(body);
  const delivery: Delivery = {
    id: `${update.update_id}`,
    lane: `${update.message.chat.id}`,
    native: z.json().parse(update),
  };
  await deliveryBatches.add({ id: channelId, workspaceId }, [delivery]);
  return '';
});
await app.listen({ port: environment.PORT, host: '127.0.0.1' });
process.stdout.write('storage ready \n');
