import { z } from 'zod';
import { PhoneCall } from '../../helpers/platforms/twilio/phone-call.ts';

const authToken = 'the-auth-token-of-the-benchmark';
const number = '+15551234567';
const workspaces = z.object({ workspaces: z.array(z.object({ id: z.string() })) });
const made = z.object({ id: z.string(), webhook_url: z.string() });

export interface Telephone {
  readonly webhookUrl: string;
  readonly authToken: string;
  /** A call of somebody else each time. */
  call(): PhoneCall;
}

/** Adds a number of its own to the workspace that the benchmark made. */
export async function openTelephone(
  { address, adminToken }: { readonly address: string; readonly adminToken: string },
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Telephone> {
  const operate = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}/admin/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const [workspace] = workspaces.parse(await operate('/workspaces?limit=1')).workspaces;
  const channel = made.parse(
    await operate(`/workspaces/${workspace?.id}/channels`, {
      channel: 'voice',
      name: 'Bench',
      credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: authToken },
      settings: { from: number, verify: false, ...settings },
    }),
  );
  const prefix = settings.relay === true ? '2' : '1';
  let calls = 0;
  return {
    webhookUrl: channel.webhook_url,
    authToken,
    call() {
      calls += 1;
      const From = `+1555${prefix}${String(calls).padStart(6, '0')}`;
      const line = { address, webhookUrl: channel.webhook_url, authToken, fields: { From } };
      return new PhoneCall(`CA${prefix}${String(calls).padStart(8, '0')}`, line);
    },
  };
}
