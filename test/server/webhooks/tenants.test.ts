import { Writable } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { runAnswerWorker } from '../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../workers/deliver/worker.ts';
import { fakeConnector, fakeSignature } from '../../helpers/platforms/fake/connector.ts';
import { openFakePlatform } from '../../helpers/platforms/fake/platform.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const key = 'signing-key-of-the-app';
const made = z.object({ id: z.string() });

describe.each(testEngines)('an app that several teams share, on %s,', async (engine) => {
  const platform = await openFakePlatform();
  const logged: string[] = [];
  const environment = {
    ALLOW_PRIVATE_CHANNELS: 'true',
    PUBLIC_URL: 'https://help.example',
    LOG_LEVEL: 'info',
    ...(engine === 'postgres' && { DATABASE_URL: await createDatabase() }),
  };
  const { app, operate, makeWorkspace, addDocument, runtime } = await openTestServer({
    runtime: {
      environment,
      connectors: [fakeConnector],
      logged: new Writable({
        write: (line: Buffer, _encoding, done) => done(void logged.push(line.toString())),
      }),
    },
  });
  const stops = await Promise.all([runAnswerWorker(runtime), runDeliverWorker(runtime)]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const shopOf = async (hours: string) => {
    const workspace = await makeWorkspace();
    await addDocument(workspace.id, `# Opening hours\n\nThe shop is open ${hours}.`);
    return { id: workspace.id, channels: `/workspaces/${workspace.id}/channels` };
  };
  const [host, red, blue] = [
    await shopOf('at noon only'),
    await shopOf('from nine to five'),
    await shopOf('by night'),
  ];
  const addTo = async (shop: typeof host, fields: object) => {
    const response = await operate('POST', shop.channels, { channel: 'fake', ...fields });
    expect(response.statusCode, response.body).toBe(201);
    return made.parse(response.json()).id;
  };
  const parent = await addTo(host, {
    credentials: { token: 'token-of-host', signing_key: key },
    settings: { api_base_url: platform.url },
  });
  const childOf = (shop: typeof host, team: string, under = parent) =>
    addTo(shop, { parent: under, credentials: { token: `token-of-${team}` }, settings: { team } });
  const children = { red: await childOf(red, 'red'), blue: await childOf(blue, 'blue') };
  let last = 0;
  const post = async (event: object, channel = parent) => {
    last += 1;
    const body = JSON.stringify({ type: 'event', id: `e${last}`, lane: 'same-chat', ...event });
    const headers = { 'content-type': 'application/json', 'x-signature': fakeSignature(key, body) };
    return (await app.inject({ method: 'POST', url: `/webhooks/${channel}`, headers, payload: body }))
      .statusCode;
  };
  const sent = () =>
    platform.calls
      .filter(({ path }) => path === '/send')
      .map(({ authorization, body }) => [authorization, String(body.text)] as const);
  const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const storedIn = async (workspaceId: string) => {
    const query = runtime.database.kysely.selectFrom('message').select('content');
    return (await query.where('workspace_id', '=', workspaceId).execute()).map(({ content }) => content);
  };

  test('each is answered from its own workspace with its own token, and their messages never mix', async () => {
    expect(await post({ team: 'red', text: 'When is the red shop open?' })).toBe(202);
    expect(await post({ team: 'blue', text: 'When is the blue shop open?' })).toBe(202);
    await eventually(() => expect(sent()).toHaveLength(2));
    expect(sent().toSorted()).toEqual([
      ['Bearer token-of-blue', expect.stringContaining('by night')],
      ['Bearer token-of-red', expect.stringContaining('from nine to five')],
    ]);
    const words = { red: (await storedIn(red.id)).join(), blue: (await storedIn(blue.id)).join() };
    expect(words.red).toContain('red shop');
    expect(words.blue).toContain('blue shop');
    expect(words.red).not.toMatch(/blue|night/);
    expect(words.blue).not.toMatch(/red|nine/);
    expect(await storedIn(host.id)).toEqual([]);
  });

  test('an event id is unique per team', async () => {
    const before = sent().length;
    for (const team of ['red', 'blue', 'red'])
      await post({ id: 'the-same', lane: `of-${team}`, team, text: 'When is the shop open?' });
    await eventually(() => expect(sent()).toHaveLength(before + 2));
    const { rows } = await runtime.database.pool.query(
      `select channel_id from inbound_event where event_id = 'the-same' order by 1`,
    );
    expect(rows.map(({ channel_id }) => channel_id)).toEqual(Object.values(children).toSorted());
  });

  test("events of unknown teams go to the app's own workspace if it serves all teams", async () => {
    const before = sent().length;
    await post({ team: 'green', lane: 'g', text: 'When is the shop open?' });
    await post({ lane: 'h', text: 'When is the shop open?' });
    await eventually(() => expect(sent()).toHaveLength(before + 2));
    for (const [authorization, text] of sent().slice(before)) {
      expect(authorization).toBe('Bearer token-of-host');
      expect(text).toContain('at noon only');
    }
  });

  test("events of unknown teams are dropped and logged once if the app's workspace has its own team", async () => {
    const own = await addTo(host, {
      credentials: { token: 'token-of-own', signing_key: key },
      settings: { api_base_url: platform.url, team: 'gold' },
    });
    const before = sent().length;
    for (let times = 0; times < 3; times += 1)
      expect(await post({ team: 'green', lane: 'i', text: 'When is the shop open?' }, own)).toBe(202);
    await post({ team: 'gold', lane: 'i', text: 'When is the shop open?' }, own);
    await eventually(() => expect(sent()).toHaveLength(before + 1));
    expect(sent().at(-1)?.[0]).toBe('Bearer token-of-own');
    expect(logged.join('').match(/enabled channel dropped/g)).toHaveLength(1);
    const { rows } = await runtime.database.pool.query(
      `select count(*)::int as count from inbound_event where channel_id = $1`,
      [own],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('a disabled team is not answered by any workspace', async () => {
    const before = [sent().length, (await storedIn(host.id)).length];
    await operate('PATCH', `${red.channels}/${children.red}`, { enabled: false });
    await post({ team: 'red', lane: 'j', text: 'When is the shop open?' });
    await operate('PATCH', `${red.channels}/${children.red}`, { enabled: true });
    await post({ team: 'blue', lane: 'j', text: 'When is the shop open?' });
    await eventually(() => expect(sent()).toHaveLength((before[0] ?? 0) + 1));
    expect((await storedIn(host.id)).length).toBe(before[1]);
  });

  test('events of a team with unreadable credentials are kept, while others are answered', async () => {
    const before = sent().length;
    const { kysely } = runtime.database;
    const column = kysely
      .selectFrom('channel')
      .select('credentials_encrypted')
      .where('id', '=', children.red);
    const { credentials_encrypted } = await column.executeTakeFirstOrThrow();
    const set = (credentials: string) =>
      kysely
        .updateTable('channel')
        .set({ credentials_encrypted: credentials })
        .where('id', '=', children.red)
        .execute()
        .finally(() => runtime.channelAccounts.forget());
    await set('garbage');
    expect(await post({ id: 'unread', team: 'red', lane: 'u', text: 'When is the shop open?' })).toBe(202);
    expect(await post({ team: 'blue', lane: 'u', text: 'When is the shop open?' })).toBe(202);
    await eventually(() => expect(sent()).toHaveLength(before + 1));
    expect(sent().at(-1)?.[0]).toBe('Bearer token-of-blue');
    await set(credentials_encrypted);
    await post({ team: 'red', lane: 'u', text: 'When does it open?' });
    await eventually(() => expect(sent().at(-1)?.[0]).toBe('Bearer token-of-red'));
    const event = kysely.selectFrom('inbound_event').select('handled_at').where('event_id', '=', 'unread');
    expect((await event.executeTakeFirstOrThrow()).handled_at).not.toBeNull();
  });

  test('only the app receives webhooks, and both channels record activity', async () => {
    expect(await post({ team: 'red' }, children.red)).toBe(404);
    for (const [shop, id] of [
      [host, parent],
      [red, children.red],
    ] as const) {
      const { heard_at } = (await operate('GET', `${shop.channels}/${id}`)).json();
      expect(heard_at).toEqual(expect.any(String));
    }
  });

  test('disabling the app silences every team', async () => {
    const before = sent().length;
    await operate('PATCH', `${host.channels}/${parent}`, { enabled: false });
    expect(await post({ team: 'red', lane: 'k', text: 'When is the shop open?' })).toBe(404);
    await operate('PATCH', `${host.channels}/${parent}`, { enabled: true });
    expect(sent()).toHaveLength(before);
  });
});
