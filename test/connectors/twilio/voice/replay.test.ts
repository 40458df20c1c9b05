import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { normalise } from '../../../../connectors/twilio/voice/normalise.ts';
import { createWebhook } from '../../../../connectors/twilio/voice/webhook.ts';
import { peersFile } from '../../../helpers/platforms/peers-file.ts';
import { twilioRequest } from '../../../helpers/platforms/twilio/request.ts';
import { voiceAccount } from '../../../helpers/platforms/twilio/voice-account.ts';

const file = peersFile('payloads/twilio/composed-webhooks.json');
const schema = z.object({
  items: z.array(z.object({ name: z.string(), params: z.record(z.string(), z.string()) })),
});
const account = voiceAccount();

describe.skipIf(file === null)('recorded calls of other projects (needs PEERS_DIR)', () => {
  const items = file === null ? [] : schema.parse(JSON.parse(readFileSync(file, 'utf8'))).items;
  const calls = items.filter(({ name }) => name.startsWith('voice_'));

  test.each([
    ['voice_inbound', []],
    ['voice_gather_speech', ['message']],
    // The key one was not offered.
    ['voice_gather_digits', []],
    ['voice_status_completed', ['collection-over']],
  ])('%s is normalised to %j', (wanted, types) => {
    const { params = {} } = calls.find(({ name }) => name === wanted) ?? {};
    const authToken = account.credentials.auth_token;
    const request = twilioRequest({ fields: params, authToken, url: account.webhookUrl ?? '' });
    expect(createWebhook(account).verify(request, new Date())).toBe(true);
    const reading = createWebhook(account).read(request);
    const deliveries = 'deliveries' in reading ? reading.deliveries : [];
    expect(reading.kind).not.toBe('ignored');
    expect(
      deliveries.flatMap(({ native }) => normalise(native, account, new Date())).map(({ type }) => type),
    ).toEqual(types);
  });
});
