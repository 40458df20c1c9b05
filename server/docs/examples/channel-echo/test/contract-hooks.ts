import { createHmac } from 'node:crypto';
import type { Account } from '../../../../../core/contract/account.ts';
import type { RawRequest } from '../../../../../core/contract/webhook.ts';
import type { ContractHooks } from '../../../../../test/connectors/contract/contract-hooks.ts';

const credentials = { api_token: 'a-token-of-echo', signing_key: 'a-signing-key-of-echo' };
const account: Account = {
  ...{ id: 'chan_echo', credentials, settings: {}, secret: 'secret', webhookUrl: null },
  profile: { id: 'bot-1', name: 'Help bot' },
};

/** As Echo sends it, recorded or written by its documentation. */
const event = (id: string, fields: object) => ({ id, type: 'message', room: 'room-7', ...fields });
const message = { id: 'm-1', text: 'Where is my parcel?', sent_at: '2026-03-01T10:00:00Z' };

function posted(body: string, signature: string | undefined): RawRequest {
  const headers = { 'content-type': 'application/json', 'x-echo-signature': signature };
  return { method: 'POST', path: '/webhooks/chan_echo', headers, query: {}, body: Buffer.from(body) };
}

const sign = (body: string, key = credentials.signing_key) =>
  createHmac('sha256', key).update(body).digest('hex');

export const hooks: ContractHooks = {
  account,
  webhook: {
    signed: (body) => posted(body, sign(body)),
    forged: (body) => [
      posted(body, undefined),
      posted(body, ''),
      posted(body, sign(body, 'another key')),
      posted(body, sign(`${body} `)),
    ],
  },
  question: event('e-1', { message, from: { id: 'ann', name: 'Ann', bot: false } }),
  own: event('e-2', {
    message: { ...message, id: 'm-2' },
    from: { id: 'bot-1', name: 'Help bot', bot: true },
  }),
  unknown: { id: 'e-3', type: 'typing', room: 'room-7' },
  conversation: { lane: 'room-7', address: { room: 'room-7' } },
  faultOf({ content }) {
    if (typeof content !== 'object' || content === null || !('text' in content)) return 'no text';
    const text = String(content.text);
    if (text.trim() === '') return 'nothing to read';
    return text.length > 2_000 ? 'longer than 2,000' : null;
  },
  limited: {
    respond: () => Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '7' } }),
    afterMs: 7_000,
  },
  unauthorised: () => Response.json({ error: 'unknown token' }, { status: 401 }),
};
