import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { readJson } from '../shared/read-json.ts';
import { sameSecret } from '../shared/same-secret.ts';
import { deliveryOf } from './delivery-of.ts';
import type { TelegramAccount } from './manifest.ts';

/** A body with `method` would be taken for a call: Telegram is told no more than that it was heard. */
const respond: HttpAnswer = { status: 200 };

export const webhook: WebhookIntake<TelegramAccount['credentials'], TelegramAccount['settings']> = {
  verify: ({ headers }, { secret }) => sameSecret(headers['x-telegram-bot-api-secret-token'], secret),

  read({ body }) {
    const native = readJson(body);
    if (native === undefined) return { kind: 'ignored', because: 'the body is not JSON', respond };
    const delivery = deliveryOf(native);
    if (delivery === null) return { kind: 'ignored', because: 'the body is not an update', respond };
    return { kind: 'deliveries', deliveries: [delivery], respond };
  },
};
