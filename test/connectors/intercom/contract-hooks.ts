import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Account } from '../../../core/contract/account.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { intercomAccount } from '../../helpers/platforms/intercom/account.ts';
import { intercomFixture } from '../../helpers/platforms/intercom/fixture.ts';
import { readIntercomHtml } from '../../helpers/platforms/intercom/html.ts';
import type { ContractHooks } from '../contract/contract-hooks.ts';

const secretOf = ({ credentials }: Account) =>
  z.object({ client_secret: z.string() }).parse(credentials).client_secret;
const sha1 = (body: string, secret: string) => createHmac('sha1', secret).update(body).digest('hex');

function posted(body: string, signature: string | undefined): RawRequest {
  const headers = { 'content-type': 'application/json', 'x-hub-signature': signature };
  return { method: 'POST', path: '/webhooks/chan_intercom', headers, query: {}, body: Buffer.from(body) };
}

function refusing(status: number, code: string, message: string, headers: Record<string, string> = {}) {
  const body = { type: 'error.list', request_id: 'req-1', errors: [{ code, message }] };
  return Response.json(body, { status, headers });
}

export const hooks: ContractHooks = {
  account: intercomAccount({
    credentials: { ...intercomAccount().credentials, client_id: 'the-id-of-the-app' },
  }),
  webhook: {
    signed: (body, account) => posted(body, `sha1=${sha1(body, secretOf(account))}`),
    forged: (body, account) => [
      posted(body, undefined),
      posted(body, ''),
      posted(body, 'sha1='),
      posted(body, sha1(body, secretOf(account))),
      posted(body, `sha1=${sha1(`${body} `, secretOf(account))}`),
      posted(body, `sha1=${sha1(body, 'another secret')}`),
      posted(body, `sha1=${sha1(body, '')}`),
    ],
  },
  question: intercomFixture('user-created'),
  own: intercomFixture('admin-replied-by-us'),
  unknown: intercomFixture('contact-attached'),
  conversation: { lane: '215400000000001', address: { conversation: '215400000000001' } },
  faultOf({ content }) {
    const part = z
      .union([
        z.object({ kind: z.literal('comment'), html: z.string(), text: z.string() }),
        z.object({ kind: z.literal('buttons') }),
      ])
      .parse(content);
    if (part.kind === 'buttons') return null;
    const read = readIntercomHtml(part.html);
    if ('fault' in read) return read.fault;
    if (part.text.length > 10_000) return 'longer than 10,000';
    return [read.text, part.text].some((text) => text.trim() === '') ? 'nothing to read' : null;
  },
  limited: {
    respond: () =>
      refusing(429, 'rate_limit_exceeded', 'Exceeded rate limit of 167 in 10_seconds', {
        'x-ratelimit-limit': '167',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${Date.parse('2026-09-21T12:00:07Z') / 1_000}`,
      }),
    afterMs: 7_000,
  },
  unauthorised: () => refusing(401, 'unauthorized', 'Access Token Invalid'),
};
