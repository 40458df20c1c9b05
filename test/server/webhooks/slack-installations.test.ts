import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { slackFixture } from '../../helpers/platforms/slack/fixture.ts';
import { openSlackServer } from '../../helpers/servers/channels/open-slack-server.ts';

const channel = 'C0HELP001';
const linkSchema = z.object({ url: z.string() });
const channelsSchema = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      tenant: z.string().nullable(),
      status: z.string(),
      parent: z.string().nullable(),
    }),
  ),
});
const sending = new Set(['chat.postMessage', 'chat.startStream']);

describe('an app that teams install with OAuth', async () => {
  const {
    slack,
    channel: app,
    address,
    eventually,
    operate,
    makeWorkspace,
    addDocument,
    runtime,
  } = await openSlackServer({
    mode: 'events',
    credentials: {
      signing_secret: 'the-signing-secret-of-the-app',
      client_id: '1.2',
      client_secret: 'of-the-client',
    },
  });
  slack.channels.set(channel, 'open');

  const tenants = [
    {
      tenant: 'T0GARDEN1',
      team: 'T0GARDEN1',
      code: 'a-code-of-the-garden',
      token: 'xoxb-the-token-of-the-bot',
      bot: 'U0PARLEY1',
      hours: 'from one to two',
      second: 601,
    },
    {
      tenant: 'T0OTHERS1',
      team: 'T0OTHERS1',
      code: 'a-good-code',
      token: 'xoxb-of-another-team',
      bot: 'U0PARLEY2',
      hours: 'from three to four',
      second: 602,
    },
    {
      tenant: 'E0GARDENS',
      team: 'T0ORCHARD',
      code: 'a-code-of-an-organisation',
      token: 'xoxb-of-an-organisation',
      bot: 'U0PARLEY3',
      hours: 'from five to six',
      second: 603,
    },
  ] as const;
  type Tenant = (typeof tenants)[number];
  const [garden, others, organisation] = tenants;
  const workspaces = new Map<Tenant, string>();
  for (const one of tenants) {
    const { id } = await makeWorkspace();
    workspaces.set(one, id);
    await addDocument(id, `# Opening hours\n\nThe shop is open on weekdays ${one.hours}.`);
  }

  /** Acts like a browser: opens the link, accepts on Slack's page, and is redirected back. */
  const install = async (one: Tenant, change: (state: string) => string = (state) => state) => {
    const path = `/workspaces/${workspaces.get(one)}/channels/${app.id}/install-links`;
    const link = linkSchema.parse((await operate('POST', path)).json());
    const begun = await fetch(link.url, { redirect: 'manual' });
    const asked = new URL(begun.headers.get('location') ?? '');
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
    const state = change(asked.searchParams.get('state') ?? '');
    back.search = new URLSearchParams({ state, code: one.code }).toString();
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { asked, done: await fetch(back, { headers: { cookie } }) };
  };
  const channelOf = async (one: Tenant) => {
    const listed = await operate('GET', `/workspaces/${workspaces.get(one)}/channels`);
    const { channels } = channelsSchema.parse(listed.json());
    return channels.find(({ tenant }) => tenant === one.tenant);
  };
  /** Slack posts the events of all teams to the one URL of the app. */
  const event = (one: Tenant, fields: object, id: string) => ({
    ...slackFixture('mention'),
    event_id: id,
    team_id: one.team,
    ...(one.tenant.startsWith('E') && { enterprise_id: one.tenant }),
    authorizations: [
      {
        enterprise_id: one.tenant.startsWith('E') ? one.tenant : null,
        team_id: one.tenant.startsWith('E') ? null : one.team,
        user_id: one.bot,
        is_bot: true,
        is_enterprise_install: one.tenant.startsWith('E'),
      },
    ],
    event: fields,
  });
  const timeOf = (one: Tenant, round: number) => `1790000${one.second}.00000${round}`;
  const mention = (one: Tenant, round: number) => {
    const ts = timeOf(one, round);
    const text = `<@${one.bot}> When are you open?`;
    const said = { type: 'app_mention', user: 'U0ANA0001', team: one.team, channel, text, ts, event_ts: ts };
    return event(one, said, `EvAsked${one.tenant}${round}`);
  };
  const answer = (one: Tenant, round: number) => slack.said(channel, timeOf(one, round));
  const tokensFor = (one: Tenant, round: number) =>
    slack.calls
      .filter(({ method, params }) => sending.has(method) && params.thread_ts === timeOf(one, round))
      .map(({ token }) => token);

  test('redirects to Slack, and back into a channel of the workspace', async () => {
    for (const one of tenants) {
      const { asked, done } = await install(one);
      expect(`${asked.origin}${asked.pathname}`).toBe(`${slack.url}/oauth/v2/authorize`);
      expect(Object.fromEntries(asked.searchParams)).toMatchObject({
        client_id: '1.2',
        redirect_uri: `${address}/install/callback`,
        scope: expect.stringContaining('users:read'),
      });
      expect(done.status, await done.text()).toBe(200);
      expect(await channelOf(one)).toMatchObject({ tenant: one.tenant, status: 'connected', parent: app.id });
    }
  });

  test.each([
    ['with a forged state', () => 'forged.state', 404],
    ['with the state of another browser', (state: string) => `${state.split('.')[0]}.forged`, 403],
  ])('rejects a callback %s', async (_, change, status) => {
    const before = slack.countOf('oauth.v2.access');
    expect((await install(garden, change)).done.status).toBe(status);
    expect(slack.countOf('oauth.v2.access')).toBe(before);
  });

  test('stores the tokens encrypted', async () => {
    const { rows } = await runtime.database.pool.query('select to_jsonb(channel)::text as row from channel');
    expect(rows).toHaveLength(4);
    const shown = await operate('GET', `/workspaces/${workspaces.get(others)}/channels`);
    expect(JSON.stringify(rows) + shown.body).not.toMatch(/xoxb-|of-the-client/);
  });

  test('answers each team from its own workspace, with its own token, in one process', async () => {
    await Promise.all(tenants.map((one) => slack.tell(mention(one, 1))));
    for (const one of tenants) {
      await eventually(() => expect(answer(one, 1)).toContain(one.hours));
      expect(tokensFor(one, 1), one.tenant).toEqual([one.token]);
    }
    const posted = slack.calls.filter(
      ({ method, token }) => sending.has(method) && token === organisation.token,
    );
    expect(posted.map(({ params }) => params.team_id)).toEqual([organisation.team]);
  });

  test('that one team removes stays installed for the others', async () => {
    slack.revoked.add(others.token);
    await slack.tell(event(others, { type: 'app_uninstalled' }, 'EvGone'));
    await eventually(async () => expect(await channelOf(others)).toMatchObject({ status: 'error' }));
    await Promise.all([slack.tell(mention(garden, 2)), slack.tell(mention(organisation, 2))]);
    await eventually(() => expect(answer(garden, 2)).toContain(garden.hours));
    await eventually(() => expect(answer(organisation, 2)).toContain(organisation.hours));
    for (const one of [garden, organisation])
      expect(await channelOf(one)).toMatchObject({ status: 'connected' });
    expect(tokensFor(garden, 2)).toEqual([garden.token]);
  });

  test('is installed again into the existing channel', async () => {
    const before = await channelOf(others);
    slack.revoked.delete(others.token);
    expect((await install(others)).done.status).toBe(200);
    expect(await channelOf(others)).toMatchObject({ id: before?.id, status: 'connected' });
    await slack.tell(mention(others, 3));
    await eventually(() => expect(answer(others, 3)).toContain(others.hours));
  });
});
