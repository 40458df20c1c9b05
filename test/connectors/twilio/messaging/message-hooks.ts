import { z } from 'zod';
import type { Account } from '../../../../core/contract/account.ts';
import type { OutboundPart } from '../../../../core/contract/outbound.ts';
import { twilioAccount } from '../../../helpers/platforms/twilio/account.ts';
import { twilioFixture } from '../../../helpers/platforms/twilio/fixture.ts';
import { twilioRequest } from '../../../helpers/platforms/twilio/request.ts';
import type { ContractHooks } from '../../contract/contract-hooks.ts';

const account = twilioAccount();
const url = account.webhookUrl ?? '';
const token = account.credentials.auth_token;

/** Returns the fields of a JSON object. Any other body becomes a form with that body as its only field. */
function fieldsOf(body: string): Record<string, string> {
  const fields = z.record(z.string(), z.unknown()).safeParse(parsed(body)).data ?? { [body]: '' };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const signed = (body: string, authToken = token, at = url) =>
  twilioRequest({ fields: fieldsOf(body), authToken, url: at });

function refusing(status: number, code: number, headers: Record<string, string> = {}): Response {
  return Response.json({ code, message: 'refused', status }, { status, headers });
}

const contentSchema = z.object({ body: z.string() });

function faultOf({ content }: OutboundPart): string | null {
  const read = contentSchema.safeParse(content);
  if (!read.success) return 'no text';
  const { body } = read.data;
  if (body.length > 1_600) return 'longer than 1,600';
  return body.trim() === '' ? 'nothing to read' : null;
}

/** Hooks for SMS and WhatsApp, whose fixtures begin with the name of the channel. */
export function messageHooks(channel: 'sms' | 'whatsapp'): ContractHooks {
  const prefix = channel === 'sms' ? '' : 'whatsapp:';
  return {
    account,
    webhook: {
      signed: (body, { credentials }: Account) =>
        signed(body, z.object({ auth_token: z.string() }).parse(credentials).auth_token),
      forged: (body) => {
        const request = signed(body);
        const shown = request.headers['x-twilio-signature'] ?? '';
        const withSignature = (signature: string | undefined) => ({
          ...request,
          headers: { ...request.headers, 'x-twilio-signature': signature },
        });
        return [
          withSignature(undefined),
          withSignature(''),
          withSignature(shown.toLowerCase()),
          signed(body, 'another token'),
          signed(body, token, url.replace('parley', 'other')),
          { ...request, body: Buffer.concat([request.body, Buffer.from('&More=1')]) },
        ];
      },
      others: { ...account.credentials, auth_token: 'another token' },
    },
    question: twilioFixture(`${channel}-question`),
    own: twilioFixture(`${channel}-from-us`),
    unknown: twilioFixture('call'),
    conversation: {
      lane: `${prefix}+15551234567/${prefix}+46700100200`,
      address: { visitor: `${prefix}+46700100200`, number: `${prefix}+15551234567`, heard: null },
    },
    faultOf,
    limited: { respond: () => refusing(429, 20_429, { 'retry-after': '7' }), afterMs: 7_000 },
    unauthorised: () => refusing(401, 20_003),
  };
}
