import { z } from 'zod';
import type { Account } from '../../../../core/contract/account.ts';
import type { RawRequest } from '../../../../core/contract/webhook.ts';
import { twilioRequest } from '../../../helpers/platforms/twilio/request.ts';
import { voiceAccount } from '../../../helpers/platforms/twilio/voice-account.ts';
import { voiceFixture } from '../../../helpers/platforms/twilio/voice-fixture.ts';
import type { ContractHooks } from '../../contract/contract-hooks.ts';

const account = voiceAccount();
const url = `${account.webhookUrl}?step=turn&turn=1`;
const fieldsSchema = z.record(z.string(), z.json());
const credentialsSchema = z.object({ auth_token: z.string() });
const speechSchema = z.object({ kind: z.literal('speech'), sentences: z.array(z.string()) });

/** Returns a form as Twilio posts it. A body that is not an object is posted unchanged. */
function posted(body: string, authToken: string): RawRequest {
  const fields = fieldsOf(body);
  if (fields !== null) return twilioRequest({ fields, authToken, url });
  return { ...twilioRequest({ fields: {}, authToken, url }), body: Buffer.from(body) };
}

function fieldsOf(body: string): Record<string, string> | null {
  try {
    const { data } = fieldsSchema.safeParse(JSON.parse(body));
    const fields = Object.entries(data ?? {}).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    );
    return data === undefined ? null : Object.fromEntries(fields);
  } catch {
    return null;
  }
}

const signed = (body: string, { credentials }: Account) =>
  posted(body, credentialsSchema.parse(credentials).auth_token);

export const hooks: ContractHooks = {
  account,
  webhook: {
    signed,
    forged: (body, own) => {
      const real = signed(body, own);
      const { 'x-twilio-signature': _, ...unsigned } = real.headers;
      return [
        { ...real, headers: unsigned },
        { ...real, body: Buffer.concat([real.body, Buffer.from('&Digits=0')]) },
        { ...real, search: '?step=turn&turn=2' },
        posted(body, 'another-token'),
      ];
    },
  },
  question: voiceFixture('speech'),
  own: { ...voiceFixture('speech'), From: account.settings.from },
  unknown: { ...voiceFixture('call-begins'), CallStatus: 'teleported' },
  conversation: {
    lane: '+15550002222/+15551234567',
    address: { call: 'CA11111111111111111111111111111111', caller: '+15550002222' },
  },
  faultOf({ content }) {
    const { data } = speechSchema.safeParse(content);
    if (data === undefined) return null;
    const text = data.sentences.join(' ');
    if (text.length > 600) return `${text.length} letters at once`;
    if (data.sentences.some((sentence) => sentence.trim() === '')) return 'an empty sentence';
    return /[*`<>|]|https?:\/\//.exec(text)?.[0] ?? null;
  },
  limited: {
    respond: () =>
      Response.json(
        { code: 20429, message: 'Too Many Requests', status: 429 },
        { status: 429, headers: { 'retry-after': '3' } },
      ),
    afterMs: 3_000,
  },
  unauthorised: () => Response.json({ code: 20003, message: 'Authenticate', status: 401 }, { status: 401 }),
};
