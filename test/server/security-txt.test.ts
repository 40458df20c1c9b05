import { expect, test } from 'vitest';
import { openTestServer } from '../helpers/servers/open-test-server.ts';

const clock = { now: () => new Date('2026-11-25T12:34:56Z') };
const path = '/.well-known/security.txt';

test('security.txt names the contact, and expires within a year of the clock', async () => {
  const environment = {
    SECURITY_CONTACT: 'mailto:security@acme.example',
    PUBLIC_URL: 'https://parley.example',
  };
  const { app } = await openTestServer({ runtime: { clock, environment } });
  const { statusCode, headers, payload } = await app.inject(path);
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(payload.trimEnd().split('\n')).toEqual([
    'Contact: mailto:security@acme.example',
    'Expires: 2027-05-24T00:00:00.000Z',
    'Preferred-Languages: en, de',
    'Canonical: https://parley.example/.well-known/security.txt',
  ]);
});

test('without a contact there is no security.txt', async () => {
  const { app } = await openTestServer();
  expect((await app.inject(path)).json().code).toBe('route_not_found');
});
