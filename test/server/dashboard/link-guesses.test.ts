import { expect, test } from 'vitest';
import { connectors } from '../../../connectors/registry.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { sameOrigin, testPassword } from '../../helpers/servers/sign-in-person.ts';

/** Frozen: on a busy machine a test takes longer than a limit takes to recover. */
const clock = { now: () => new Date('2026-11-25T12:00:00Z') };
const server = await openTestServer({ runtime: { clock, connectors } });
const { app, operate } = server;
const { id } = await server.makeWorkspace();

const post = (url: string, payload: object, remoteAddress: string) =>
  app.inject({ method: 'POST', url, payload, remoteAddress, headers: sameOrigin });
const get = (url: string, remoteAddress: string) => app.inject({ url, remoteAddress });

/** Sixty wrong ones from one address, one after the other. */
const guess = async (call: (guess: string) => Promise<{ readonly statusCode: number }>) => {
  const statuses: number[] = [];
  for (let at = 0; at < 60; at += 1) statuses.push((await call(`wrong-${at}`)).statusCode);
  return { looked: statuses.filter((status) => status !== 429).length, last: statuses.at(-1) };
};

const person = { name: 'Ben', email: 'ben@acme.example', password: testPassword };

test.each([
  ['/dashboard/invitations/look', {}],
  ['/dashboard/invitations/accept', { name: 'Ben', password: testPassword }],
  ['/dashboard/recover', { password: testPassword }],
  ['/dashboard/begin', person],
] as const)('%s looks twenty wrong links of an address up, and others go on', async (url, fields) => {
  const address = `10.4.0.${url.length}`;
  const { looked, last } = await guess((wrong) =>
    post(url, { token: `${wrong} of ${url}`, ...fields }, address),
  );
  expect([looked, last]).toEqual([20, 429]);
  const refused = await post(url, { token: `another of ${url}`, ...fields }, address);
  expect(refused.json().code).toBe('rate_limit_minute');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(
    (await post(url, { token: `another of ${url}`, ...fields }, `10.5.0.${url.length}`)).json().code,
  ).toBe('link_expired');
});

test.each(['/install/:wrong', '/files/:wrong/a.png', '/c/:wrong', '/api/nlweb/:wrong/ask?query=x'])(
  '%s looks twenty wrong names of an address up, and others go on',
  async (path) => {
    const address = `10.6.0.${path.length}`;
    const { looked, last } = await guess((wrong) => get(path.replace(':wrong', wrong), address));
    expect([looked, last]).toEqual([20, 429]);
    const refused = await get(path.replace(':wrong', 'one-more'), address);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get(path.replace(':wrong', 'another'), `10.7.0.${path.length}`)).statusCode).toBe(404);
  },
);

test('a link that was wrong for one person or purpose still works for the right one', async () => {
  const invited = await operate('POST', `/workspaces/${id}/invitations`, {
    email: 'ben@acme.example',
    role: 'agent',
  });
  const token = String(invited.json().link).split('#')[1];
  const address = '10.8.0.1';
  expect((await post('/dashboard/recover', { token, password: testPassword }, address)).json().code).toBe(
    'link_expired',
  );
  const entry = { token, name: 'Ben', password: testPassword };
  expect((await post('/dashboard/invitations/accept', entry, address)).statusCode).toBe(201);
});

test('a page that did not exist is found as soon as it does', async () => {
  expect((await get('/c/soon', '10.8.0.2')).statusCode).toBe(404);
  const made = await operate('POST', `/workspaces/${id}/channels`, {
    channel: 'hosted',
    settings: { slug: 'soon' },
  });
  expect(made.statusCode).toBe(201);
  expect((await get('/c/soon', '10.8.0.2')).statusCode).toBe(200);
});
