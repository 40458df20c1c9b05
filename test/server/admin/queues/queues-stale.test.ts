import { expect, test } from 'vitest';
import { fakeConnector } from '../../../helpers/platforms/fake/connector.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

let moment = Date.parse('2026-03-01T12:00:00Z');
const clock = { now: () => new Date(moment) };
const pass = (seconds: number) => {
  moment += seconds * 1_000;
};
const { operate, runtime, makeWorkspace } = await openTestServer({
  runtime: { clock, connectors: [fakeConnector] },
});
const { id } = await makeWorkspace();
const add = async (mode: string) =>
  (
    await operate('POST', `/workspaces/${id}/channels`, {
      channel: 'fake',
      credentials: { token: 'token-quokka', signing_key: 'key-quagga' },
      settings: { mode, verify: false },
    })
  ).json().id;
const [listened, posted] = [await add('polling'), await add('webhook')];

const seen = async () => {
  const one = (await operate('GET', `/workspaces/${id}/channels/${listened}`)).json();
  const { channels } = (await operate('GET', `/workspaces/${id}/channels`)).json();
  const overview = (await operate('GET', '/queues')).json().channels;
  const find = (all: { readonly id: string }[], wanted: string) => all.find((each) => each.id === wanted);
  expect(find(channels, listened)).toEqual(one);
  expect(find(overview, posted)).toMatchObject({ stale: false });
  return [one.status, find(overview, listened)];
};

test('a listening channel is stale after two minutes of silence, until its platform is active again', async () => {
  expect(await seen()).toEqual([
    'connecting',
    expect.objectContaining({ status: 'connecting', stale: false }),
  ]);
  pass(120);
  expect(await seen()).toEqual(['stale', expect.objectContaining({ status: 'stale', stale: true })]);
  await runtime.channelAccounts.recordActivity(listened, clock.now());
  expect(await seen()).toEqual([
    'connected',
    expect.objectContaining({ status: 'connected', stale: false, heard_at: clock.now().toISOString() }),
  ]);
  pass(119);
  expect((await seen())[0]).toBe('connected');
  pass(1);
  expect((await seen())[0]).toBe('stale');
});

test('leaves out channels of a deleted workspace', async () => {
  const { id: gone } = await makeWorkspace();
  await operate('POST', `/workspaces/${gone}/channels`, {
    channel: 'fake',
    credentials: { token: 'token-quokka', signing_key: 'key-quagga' },
    settings: { verify: false },
  });
  await operate('DELETE', `/workspaces/${gone}`);
  const { channels } = (await operate('GET', '/queues')).json();
  expect(channels.map(({ id: each }: { readonly id: string }) => each).sort()).toEqual(
    [listened, posted].sort(),
  );
});
