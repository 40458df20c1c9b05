import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { connectors } from '../../../../connectors/registry.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, makeWorkspace } = await openTestServer({
  runtime: {
    connectors,
    environment: { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'https://help.example' },
  },
});
const workspace = await makeWorkspace();

const answers = {
  'a web page': { status: 200, type: 'text/html', body: '<!doctype html><title>Welcome</title>' },
  'an empty object': { status: 200, type: 'application/json', body: '{}' },
  'an array': { status: 200, type: 'application/json', body: '[]' },
  'a page that is not found': { status: 404, type: 'text/html', body: '<h1>Not found</h1>' },
} as const;
let answer: (typeof answers)[keyof typeof answers] = answers['a web page'];
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
});
const port = await freePort();
await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const twilio = {
  credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'f'.repeat(32) },
  settings: { from: '+15005550006' },
};
const accounts = [
  ['slack', 'Slack', { credentials: { bot_token: 'xoxb-1', signing_secret: 'a'.repeat(32) } }],
  [
    'discord',
    'Discord',
    {
      credentials: {
        bot_token: 'MTIz.abc.def',
        application_id: '123456789012345678',
        public_key: 'a'.repeat(64),
      },
    },
  ],
  ['telegram', 'Telegram', { credentials: { bot_token: '123456:ABC-DEF' } }],
  ['whatsapp', 'Twilio', twilio],
  ['sms', 'Twilio', twilio],
  ['voice', 'Twilio', twilio],
  ['intercom', 'Intercom', { credentials: { access_token: 'token', client_secret: 'a'.repeat(32) } }],
] as const;

describe.each(accounts)('the credential check of a %s channel', (channel, platform, account) => {
  test.each(Object.keys(answers).map((name) => [name]))(
    'names the server that responds with %s',
    async (name) => {
      answer = Object.entries(answers).find(([key]) => key === name)?.[1] ?? answer;
      const response = await operate('POST', `/workspaces/${workspace.id}/channels`, {
        channel,
        credentials: account.credentials,
        settings: {
          ...('settings' in account ? account.settings : {}),
          api_base_url: `http://127.0.0.1:${port}`,
        },
      });
      expect([response.statusCode, response.json()]).toMatchObject([
        422,
        {
          code: 'channel_verification_failed',
          detail: `The server at 127.0.0.1:${port} is not ${platform}. Check api_base_url.`,
        },
      ]);
    },
  );
});
