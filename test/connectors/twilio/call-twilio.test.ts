import { describe, expect, test } from 'vitest';
import { resolveApiUrl } from '../../../connectors/twilio/account.ts';
import { createTwilioClient } from '../../../connectors/twilio/api-client.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { twilioAccount } from '../../helpers/platforms/twilio/account.ts';

const account = twilioAccount();
const message = { from: '+15551234567', to: '+15550002222', body: 'Hello' };

/** Returns tools whose `fetch` gives this response and records the requests. */
function twilioWith(answer: () => Response) {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const tools = connectorTools({
    fetch: async (input, init) => {
      asked.push({ url: input.toString(), init });
      return answer();
    },
  });
  return { asked, tools };
}

async function errorOf(respond: () => Response): Promise<ConnectorError> {
  const { tools } = twilioWith(respond);
  const twilio = await createTwilioClient(account, tools);
  const error = await twilio.messages.create(message).catch((thrown: unknown) => thrown);
  if (error instanceof ConnectorError) return error;
  throw new TypeError('the call did not fail with a ConnectorError');
}

const refusing =
  (status: number, body: object, headers = {}) =>
  () =>
    Response.json(body, { status, headers });

describe('a call of Twilio', () => {
  test('uses the given fetch with the credentials of the account', async () => {
    const { asked, tools } = twilioWith(() =>
      Response.json({ sid: 'SM1', status: 'queued' }, { status: 201 }),
    );
    const twilio = await createTwilioClient(account, tools);
    const { sid } = await twilio.messages.create(message);
    expect(sid).toBe('SM1');
    const [{ url, init } = { url: '', init: {} }] = asked;
    expect(url).toBe(
      `https://api.twilio.com/2010-04-01/Accounts/${account.credentials.account_sid}/Messages.json`,
    );
    expect(new Headers(init?.headers).get('authorization')).toBe(
      `Basic ${Buffer.from(`${account.credentials.account_sid}:${account.credentials.auth_token}`).toString('base64')}`,
    );
    expect(String(init?.body)).toBe('To=%2B15550002222&From=%2B15551234567&Body=Hello');
    expect(init?.redirect).toBe('error');
  });

  test.each([
    [undefined, 'https://messaging.twilio.com/v2/Indicators/Typing.json'],
    [
      'https://api.dublin.ie1.twilio.com',
      'https://messaging.dublin.ie1.twilio.com/v2/Indicators/Typing.json',
    ],
    ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000/messaging/v2/Indicators/Typing.json'],
    ['https://proxy.example/twilio', 'https://proxy.example/twilio/messaging/v2/Indicators/Typing.json'],
  ])('with api_base_url %s goes to the same product there', (base, expected) => {
    expect(resolveApiUrl('https://messaging.twilio.com/v2/Indicators/Typing.json', base)).toBe(expected);
  });

  test('with an api_base_url keeps the paths of the main API', () => {
    expect(
      resolveApiUrl('https://api.twilio.com/2010-04-01/Accounts.json?Page=2', 'http://127.0.0.1:4000'),
    ).toBe('http://127.0.0.1:4000/2010-04-01/Accounts.json?Page=2');
  });
});

describe('a refusal of Twilio', () => {
  test('disables the account after refused credentials', async () => {
    const error = await errorOf(refusing(401, { code: 20003, message: 'Authenticate', status: 401 }));
    expect(error).toMatchObject({ account: true, advice: { retry: 'never' } });
    expect(error.message).toContain('20003');
  });

  test('marks a visitor who opted out as unreachable, with an explanation', async () => {
    const error = await errorOf(
      refusing(400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' }),
    );
    expect(error).toMatchObject({ unreachable: true, account: false, advice: { retry: 'never' } });
    expect(error.message).toBe(
      'The recipient opted out with STOP. Messages are blocked until they send START. (Twilio error 21610)',
    );
  });

  test.each([
    [21_655, /content_sid/],
    [21_656, /No variable may be empty/],
    [63_027, /WhatsApp has approved it/],
    [63_028, /do not match/],
  ])('of a template (%d) is permanent, and explains the fix', async (code, words) => {
    const error = await errorOf(refusing(400, { code, message: 'Invalid Parameter' }));
    expect(error.message).toMatch(words);
    expect(error).toMatchObject({ advice: { retry: 'never' }, account: false, unreachable: false });
  });

  test('returns when to retry after a transient limit', async () => {
    const busy = { code: 20429, message: 'Too Many Requests' };
    expect(await errorOf(refusing(429, busy, { 'retry-after': '3' }))).toMatchObject({
      advice: { retry: 'after', afterMs: 3_000, limited: 'account' },
    });
    expect(await errorOf(refusing(400, { code: 63018, message: 'Rate limit' }))).toMatchObject({
      advice: { retry: 'after' },
    });
    expect(await errorOf(refusing(503, {}))).toMatchObject({ advice: { retry: 'backoff' } });
  });

  test("with an unknown code keeps Twilio's message", async () => {
    expect((await errorOf(refusing(400, { code: 99999, message: 'New thing' }))).message).toBe(
      'New thing (Twilio error 99999)',
    );
  });

  test('is retried without JSON, with another body, and without a response', async () => {
    expect(await errorOf(() => new Response('<html>', { status: 502 }))).toMatchObject({
      message: 'Twilio answered with status 502.',
      advice: { retry: 'backoff' },
    });
    expect(await errorOf(() => new Response('', { status: 200 }))).toMatchObject({
      advice: { retry: 'backoff' },
    });
  });

  test('never contains the auth token', async () => {
    const error = await errorOf(() => {
      throw new TypeError(`connect to ${account.credentials.auth_token} failed`);
    });
    expect(error.message).toContain('cannot be reached');
    expect(error.message).not.toContain(account.credentials.auth_token);
  });
});
