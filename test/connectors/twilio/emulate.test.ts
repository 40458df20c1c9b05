import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createEmulator } from 'emulate';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTwilioClient } from '../../../connectors/twilio/api-client.ts';
import { deliver } from '../../../connectors/twilio/messaging/deliver.ts';
import { sms } from '../../../connectors/twilio/sms/sms.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { twilioAccount } from '../../helpers/platforms/twilio/account.ts';

/** Receives the webhooks of the emulator: messages of visitors and reports of ours. */
const posted = Promise.withResolvers<RawRequest>();
const hook = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const body = await buffer(request);
  const lines = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const isReport = new URLSearchParams(body.toString()).has('MessageStatus');
  if (!isReport) posted.resolve({ method, path: url, headers: Object.fromEntries(lines), query: {}, body });
  response.end('<Response/>');
});
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
const { port } = z.object({ port: z.number() }).parse(hook.address());
const webhookUrl = `http://127.0.0.1:${port}/webhooks/chan_twilio`;
const emulator = await createEmulator({
  service: 'twilio',
  port: 0,
  seed: { twilio: { phone_numbers: [{ phone_number: '+15551234567', sms_url: webhookUrl }] } },
});
afterAll(async () => {
  hook.close();
  await emulator.close();
});
const account = twilioAccount({
  credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'twilio_test_auth_token' },
  settings: { enabled: true, from: '+15551234567', api_base_url: emulator.url },
  webhookUrl,
});
const to = (number: string) => ({
  lane: 'a',
  address: { visitor: '+15550002222', number, heard: null },
});

test('an independent emulator of Twilio accepts our messages', async () => {
  const { messageId } = await deliver(
    { content: { body: 'Hello' } },
    to('+15551234567'),
    account,
    connectorTools(),
  );
  const twilio = await createTwilioClient(account, connectorTools());
  const stored = await twilio.messages(messageId).fetch();
  expect(stored).toMatchObject({ to: '+15550002222', from: '+15551234567', body: 'Hello' });
});

test('its refusals are explained', async () => {
  const part = { content: { body: 'Hello' } };
  await expect(deliver(part, to('+15550009999'), account, connectorTools())).rejects.toMatchObject({
    message: expect.stringContaining('Twilio error 21606'),
    advice: { retry: 'never' },
    account: false,
  });
  const wrong = { ...account, credentials: { ...account.credentials, auth_token: 'wrong' } };
  await expect(deliver(part, to('+15551234567'), wrong, connectorTools())).rejects.toMatchObject({
    message: expect.stringContaining('Twilio error 20003'),
    account: true,
  });
});

test('its webhooks have a valid signature and are normalised to messages', async () => {
  const basic = Buffer.from(`${account.credentials.account_sid}:${account.credentials.auth_token}`);
  await fetch(`${emulator.url}/_twilio/simulate/inbound-message`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic.toString('base64')}` },
    body: new URLSearchParams({ From: '+15550002222', To: '+15551234567', Body: 'Größe & Preis? 👋' }),
  });
  const request = await posted.promise;
  expect(sms.open(account).webhook?.verify(request, new Date())).toBe(true);
  expect(sms.open(account).webhook?.verify({ ...request, body: Buffer.from('') }, new Date())).toBe(false);
  const reading = sms.open(account).webhook?.read(request);
  const [delivery] = reading?.kind === 'deliveries' ? reading.deliveries : [];
  expect(delivery?.lane).toBe('+15551234567/+15550002222');
  expect(sms.open(account).normalise(delivery?.native ?? null, new Date())).toMatchObject([
    { type: 'message', text: 'Größe & Preis? 👋', sender: { phone: '+15550002222' } },
  ]);
});
