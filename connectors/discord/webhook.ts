import { z } from 'zod';
import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { readJson } from '../shared/read-json.ts';
import { acknowledgementOf } from './acknowledgement-of.ts';
import { deliveryOf } from './delivery-of.ts';
import type { DiscordAccount } from './manifest.ts';
import { verifySignature } from './verify-signature.ts';

const PING = 1;
const PONG = { type: 1 };

const pinged = z.object({ type: z.literal(PING) });

export const webhook: WebhookIntake<DiscordAccount['credentials'], DiscordAccount['settings']> = {
  verify: (request, { credentials }, now) => verifySignature(request, credentials.public_key, now),

  read({ body }, account) {
    const native = readJson(body);
    if (native === undefined)
      return { kind: 'ignored', because: 'the body is not JSON', respond: answer({}) };
    if (pinged.safeParse(native).success) return { kind: 'handshake', respond: answer(PONG) };
    const delivery = deliveryOf(native, account, new Map());
    const acknowledgement = acknowledgementOf(native, account);
    if (delivery === null || acknowledgement === null) {
      return { kind: 'ignored', because: 'the body is no command or button of ours', respond: answer({}) };
    }
    return { kind: 'deliveries', deliveries: [delivery], respond: answer(acknowledgement) };
  },
};

function answer(body: object): HttpAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body) };
}
