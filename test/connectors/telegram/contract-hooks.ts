import type { Account } from '../../../core/contract/account.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { telegramFixture } from '../../helpers/platforms/telegram/fixture.ts';
import { readTelegramHtml } from '../../helpers/platforms/telegram/html.ts';
import type { ContractHooks } from '../contract/contract-hooks.ts';

function posted(body: string, secret: string | undefined): RawRequest {
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret };
  return { method: 'POST', path: '/webhooks/chan_telegram', headers, query: {}, body: Buffer.from(body) };
}

function refusing(status: number, description: string, parameters?: object) {
  return Response.json(
    { ok: false, error_code: status, description, ...(parameters && { parameters }) },
    { status },
  );
}

export const hooks: ContractHooks = {
  account: telegramAccount(),
  webhook: {
    signed: (body, account: Account) => posted(body, account.secret),
    forged: (body, account: Account) => [
      posted(body, undefined),
      posted(body, ''),
      posted(body, `${account.secret}x`),
      posted(body, account.secret.toUpperCase()),
    ],
  },
  question: telegramFixture('private-question'),
  own: telegramFixture('group-from-us'),
  unknown: telegramFixture('reaction'),
  conversation: { lane: '-4001', address: { chat: -4001, kind: 'group', topic: null } },
  faultOf({ content }) {
    if (typeof content !== 'object' || content === null || !('html' in content)) return 'no HTML';
    const read = readTelegramHtml(String(content.html));
    if ('fault' in read) return read.fault;
    const texts = [read.text, String(content.text)];
    if (texts.some((text) => text.length > 4_096)) return 'longer than 4,096';
    if (texts.some((text) => text.trim() === '')) return 'nothing to read';
    return read.entities.length > 100 ? 'more than 100 entities' : null;
  },
  limited: {
    respond: () => refusing(429, 'Too Many Requests: retry after 7', { retry_after: 7 }),
    afterMs: 7_000,
  },
  unauthorised: () => refusing(401, 'Unauthorized'),
};
