import { expect, test } from 'vitest';
import { connectors } from '../../../../connectors/registry.ts';
import { startSmtp } from '../../../helpers/platforms/email/start-smtp.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, makeWorkspace } = await openTestServer({
  runtime: {
    connectors,
    environment: { ALLOW_PRIVATE_CHANNELS: 'true' },
    dns: { srv: async () => [], mx: async () => [{ exchange: 'aspmx.l.google.com', priority: 1 }] },
  },
});
const workspace = `/workspaces/${(await makeWorkspace()).id}`;

test('the servers of an address are returned with how they were found', async () => {
  const found = await operate('POST', `${workspace}/mailbox-servers`, { address: 'help@shop.example' });
  expect([found.statusCode, found.json()]).toEqual([
    200,
    {
      provider: 'google',
      incoming: {
        host: 'imap.gmail.com',
        port: 993,
        encryption: 'tls',
        user: 'help@shop.example',
        found_by: 'mx',
      },
      outgoing: expect.objectContaining({ host: 'smtp.gmail.com', port: 465 }),
    },
  ]);
  const odd = await operate('POST', `${workspace}/mailbox-servers`, { address: 'no address' });
  expect(odd.statusCode).toBe(422);
});

test('a login is tried at both servers, each has its result, and nothing is stored or shown of it', async () => {
  const smtp = await startSmtp();
  const login = { host: '127.0.0.1', secure: false, user: 'help@shop.example', pass: 'a-secret-quokka' };
  const fields = {
    credentials: { imap: { ...login, port: await freePort() }, smtp: { ...login, port: smtp.port } },
    settings: { from: 'help@shop.example' },
  };
  const tried = await operate('POST', `${workspace}/mailbox-checks`, fields);
  expect([tried.statusCode, tried.json().checks]).toMatchObject([
    200,
    [
      { server: 'incoming', problem: 'no_connection' },
      { server: 'outgoing', problem: null, detail: null },
    ],
  ]);
  expect(tried.body).not.toContain('quokka');
  expect((await operate('GET', `${workspace}/channels`)).json().channels).toEqual([]);
  const absent = await operate('POST', `${workspace}/mailbox-checks`, { ...fields, credentials: {} });
  expect([absent.statusCode, absent.json().code]).toEqual([422, 'invalid_credentials']);
  await smtp.close();
});
