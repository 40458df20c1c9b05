import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { intercomFixture, intercomFixtures } from '../../helpers/platforms/intercom/fixture.ts';
import { openIntercomServer } from '../../helpers/servers/channels/open-intercom-server.ts';

describe('Intercom', async () => {
  const server = await openIntercomServer({ handover_to: 'team:8001' });
  const { intercom, channel, eventually, stored, runtime, head, operate, workspace } = server;
  const kinds = (id: string) => intercom.partsOf(id).map(({ part_type }) => part_type);
  const events = () =>
    runtime.database.kysely.selectFrom('inbound_event').select(['event_id', 'native']).execute();
  const statusOf = async (id: string) => (await stored(id)).at(-1)?.status;

  test('the channel shows its teammate and its Intercom workspace', async () => {
    const { profile, status, webhook_url } = (
      await operate('GET', `/workspaces/${workspace.id}/channels/${channel.id}`)
    ).json();
    expect([status, profile.admin_name, profile.app_id]).toEqual(['connected', 'Parley', 'ghi7jk2l']);
    expect(webhook_url).toContain(`/webhooks/${channel.id}`);
  });

  test('answers HEAD without a signature and stores nothing', async () => {
    expect(head).toBe(200);
    expect(await events()).toEqual([]);
    const { heard_at } = (await operate('GET', `/workspaces/${workspace.id}/channels/${channel.id}`)).json();
    expect(heard_at).toBeNull();
    const unknown = await fetch(channel.webhook_url.replace(channel.id, 'chan_none'), { method: 'HEAD' });
    expect(unknown.status).toBe(404);
  });

  test("answers a ping and records the platform's activity", async () => {
    expect(await intercom.tell(intercomFixture('ping'))).toBe(200);
    const { heard_at } = (await operate('GET', `/workspaces/${workspace.id}/channels/${channel.id}`)).json();
    expect(heard_at).not.toBeNull();
    expect(await events()).toEqual([]);
  });

  test('answers a question as its teammate from the documents, with an agent button', async () => {
    const id = await intercom.begin('<p>When are you <b>open</b>?</p>');
    await eventually(() => expect(kinds(id)).toEqual(['comment', 'quick_reply']));
    expect(intercom.seen(id)).toContain('open on weekdays from nine to five');
    expect(await stored(id)).toMatchObject([
      { role: 'user', content: 'When are you open?', customer_name: 'Ana Silva', customer_email: null },
      { role: 'assistant' },
    ]);
  });

  test('does not answer its own replies, which Intercom also reports', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toEqual(['comment', 'quick_reply']));
    await intercom.quiet();
    await intercom.say(id, '<p>And is the shop open on weekdays?</p>');
    await eventually(() => expect(kinds(id).slice(2)).toEqual(['comment', 'comment', 'quick_reply']));
    await intercom.quiet();
    expect((await stored(id)).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('a repeated notification has no effect', async () => {
    await intercom.tell(intercomFixture('user-created'));
    const before = (await events()).length;
    await intercom.tell({ ...intercomFixture('user-created'), delivery_attempts: 2 });
    expect(await events()).toHaveLength(before);
  });

  test('a press on the agent button adds a note and assigns the team, and the bot is silent afterwards', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    await intercom.say(id, '<p>Talk to a person</p>');
    await eventually(() => expect(kinds(id).slice(3)).toEqual(['comment', 'note', 'assignment']));
    expect(intercom.conversations.get(id)).toMatchObject({ team: '8001' });
    const note = intercom.partsOf(id).find(({ part_type }) => part_type === 'note');
    expect(note?.body).toMatch(
      /<b>Asked: <\/b>When are you open\?<br><b>Answered: <\/b>.*nine to five.*<p><b>Asked: <\/b>Talk to a person<\/p>$/,
    );
    await intercom.quiet();
    await intercom.say(id, '<p>Hello?</p>');
    await eventually(async () => expect((await stored(id)).at(-1)).toMatchObject({ content: 'Hello?' }));
    expect((await stored(id)).at(-1)).toMatchObject({ role: 'user', status: 'escalated' });
  });

  test('a note of the team is neither stored nor repeated', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    await intercom.note(id, intercom.andy, '<p>secret-words-4711</p>');
    await intercom.say(id, '<p>When is the shop open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(6));
    expect(JSON.stringify(await events())).not.toContain('secret-words-4711');
    expect(JSON.stringify(await stored(id))).not.toContain('secret-words-4711');
  });

  test('a teammate who replies in Intercom takes over until the conversation is given back', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    await intercom.answerAs(id, intercom.andy, '<p>Andy here, let me look.</p>');
    await eventually(async () => expect(await statusOf(id)).toBe('claimed'));
    await intercom.say(id, '<p>Thank you, when are you open?</p>');
    await eventually(async () => expect((await stored(id)).at(-1)?.role).toBe('user'));
    expect((await stored(id)).map(({ role }) => role)).toEqual(['user', 'assistant', 'agent', 'user']);
    const said = kinds(id).length;
    await intercom.assign(id, { by: intercom.andy, type: 'admin', to: '7001' });
    await eventually(async () => expect(await statusOf(id)).toBe('open'));
    await intercom.say(id, '<p>When are you open on weekdays?</p>');
    await eventually(() => expect(kinds(id).length).toBeGreaterThan(said + 2));
  });

  test('a teammate to whom it is assigned takes over, even without a notification', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    const conversation = intercom.conversations.get(id);
    if (conversation) conversation.admin = '7002';
    await intercom.say(id, '<p>When are you open?</p>');
    await eventually(async () => expect(await statusOf(id)).toBe('claimed'));
    expect(kinds(id)).toHaveLength(3);
  });

  test('closing resolves the conversation, and later messages are answered', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    await intercom.close(id, intercom.andy);
    await eventually(async () => expect(await statusOf(id)).toBe('resolved'));
    await intercom.say(id, '<p>When are you open?</p>');
    await eventually(() => expect(kinds(id).length).toBeGreaterThan(4));
  });

  test('a rating applies to the last answer', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    await intercom.rate(id, 1, 'Too short');
    await eventually(async () => expect((await stored(id)).at(-1)).toMatchObject({ feedback: 'down' }));
  });

  test('a deleted conversation is unreachable', async () => {
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toHaveLength(2));
    const deleted = JSON.parse(JSON.stringify(intercomFixture('deleted')).replaceAll('215400000000001', id));
    await intercom.tell(deleted);
    await eventually(async () => expect((await stored(id)).at(-1)?.reachable).toBe(false));
  });

  test('waits for the rate limit and then sends the answer', async () => {
    intercom.trouble({ kind: 'limited-for', seconds: 1 });
    const id = await intercom.begin('<p>When are you open?</p>');
    await eventually(() => expect(kinds(id)).toEqual(['comment', 'quick_reply']));
  });

  test('rejects a notification with a missing or invalid signature, and stores nothing', async () => {
    const body = JSON.stringify({ ...intercomFixture('user-replied'), id: 'notif_forged' });
    const before = (await events()).length;
    const wrong = `sha1=${createHmac('sha1', 'another').update(body).digest('hex')}`;
    for (const signature of ['', 'sha1=', wrong]) {
      const response = await fetch(channel.webhook_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature': signature },
        body,
      });
      expect(response.status).toBe(401);
    }
    expect(await events()).toHaveLength(before);
  });

  test('accepts every kind of notification, and leaves no pending work', async () => {
    for (const name of intercomFixtures()) expect(await intercom.tell(intercomFixture(name)), name).toBe(200);
    await eventually(async () => {
      const left = await runtime.database.kysely
        .selectFrom('inbound_event')
        .select(['event_id', 'failure'])
        .where('handled_at', 'is', null)
        .execute();
      expect(left).toEqual([]);
    });
  });
});

describe('a teammate who is faster than the answer', async () => {
  const pace = { go: Promise.withResolvers<void>(), begun: Promise.withResolvers<void>() };
  const { intercom, eventually, stored } = await openIntercomServer(
    {},
    {
      async *write() {
        pace.begun.resolve();
        await pace.go.promise;
        yield { text: 'The shop is open on weekdays from nine to five.' };
      },
    },
  );
  const { andy } = intercom;
  const asks = async (say: () => Promise<unknown>) => {
    pace.go = Promise.withResolvers();
    pace.begun = Promise.withResolvers();
    await say();
    await pace.begun.promise;
  };
  const kinds = (id: string) => intercom.partsOf(id).map(({ part_type }) => part_type);
  const rolesOf = async (id: string) => (await stored(id)).map(({ role }) => role);

  test.each([
    ['reply', (id: string) => intercom.answerAs(id, andy, '<p>Andy here.</p>'), 'claimed', ['user', 'agent']],
    [
      'are assigned the conversation',
      (id: string) => intercom.assign(id, { by: andy, type: 'admin', to: '7002' }),
      'claimed',
      ['user'],
    ],
    ['close it', (id: string) => intercom.close(id, andy), 'resolved', ['user']],
  ])('is not interrupted if they %s', async (_how, acts, status, roles) => {
    let id = '';
    await asks(async () => {
      id = await intercom.begin('<p>When are you open?</p>');
    });
    await acts(id);
    await intercom.quiet();
    const shown = kinds(id);
    pace.go.resolve();
    await eventually(async () => expect((await stored(id)).at(-1)?.status).toBe(status));
    expect(await rolesOf(id)).toEqual(roles);
    expect(kinds(id)).toEqual(shown);
  });

  test('is not interrupted in a longer conversation, and a conversation that is given back at once is answered', async () => {
    let id = '';
    await asks(async () => {
      id = await intercom.begin('<p>When are you open?</p>');
    });
    await intercom.assign(id, { by: andy, type: 'admin', to: '7002' });
    await intercom.assign(id, { by: andy, type: 'admin', to: '7001' });
    await intercom.quiet();
    pace.go.resolve();
    await eventually(() => expect(kinds(id)).toContain('quick_reply'));
    await asks(() => intercom.say(id, '<p>And on Sundays?</p>'));
    await intercom.answerAs(id, andy, '<p>Andy here.</p>');
    await intercom.quiet();
    pace.go.resolve();
    await eventually(async () => expect(await rolesOf(id)).toEqual(['user', 'assistant', 'user', 'agent']));
    expect(kinds(id).at(-1)).toBe('comment');
    expect(intercom.partsOf(id).at(-1)?.author).toMatchObject({ id: '7002' });
  });
});
