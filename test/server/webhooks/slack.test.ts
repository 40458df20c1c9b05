import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { slackFixture, slackFixtures } from '../../helpers/platforms/slack/fixture.ts';
import { shownIn } from '../../helpers/platforms/slack/messages.ts';
import { signSlack } from '../../helpers/platforms/slack/sign-request.ts';
import { fetchVisitorFile } from '../../helpers/servers/channels/fetch-visitor-file.ts';
import { holdQuestions } from '../../helpers/servers/channels/hold-questions.ts';
import { openSlackServer } from '../../helpers/servers/channels/open-slack-server.ts';

const help = 'C0HELP001';
const direct = 'D0ANA0001';
const thread = '1790000001.000101';
const lane = (root: string) => `T0GARDEN1/${help}/${root}`;

describe('Slack by webhook', async () => {
  const { slack, channel, events, eventually, runtime, workspace, app, operate } = await openSlackServer({
    mode: 'events',
    settings: { prompts: [{ title: 'Hours', message: 'When are you open?' }] },
  });
  for (const each of [help, direct, 'G0GROUP01']) slack.channels.set(each, 'open');
  const said = (root: string, where = help) => slack.said(where, root);
  const conversation = (of: string) =>
    runtime.database.kysely
      .selectFrom('lane')
      .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
      .select(['conversation.id', 'conversation.status', 'lane.reachable'])
      .where('lane.lane', '=', of)
      .executeTakeFirst();
  let next = 300;
  /** A mention that starts a thread; its number is used as its second. */
  const mention = (text: string) => {
    next += 1;
    const ts = `1790000${next}.000${next}`;
    const fixture = z.looseObject({ event: z.looseObject({}) }).parse(slackFixture('mention'));
    return {
      ts,
      payload: {
        ...fixture,
        event_id: `Ev${next}`,
        event: { ...fixture.event, text: `<@U0PARLEY1> ${text}`, ts, event_ts: ts },
      },
    };
  };

  test("answers Slack's URL verification", async () => {
    expect(channel).toMatchObject({
      status: expect.stringMatching(/connect/),
      webhook_url: expect.stringContaining(`/webhooks/${channel.id}`),
    });
    const response = await slack.post(slackFixture('handshake'), {});
    expect(await response.text()).toBe(slackFixture('handshake').challenge);
  });

  test('answers a mention once in its thread, from the documents, despite repeated events', async () => {
    const letGo = holdQuestions(runtime);
    await Promise.all([slack.tell(slackFixture('mention')), slack.tell(slackFixture('mention-as-message'))]);
    const called = () => slack.calls.map(({ method }) => method);
    await eventually(() => expect(called()).toContain('assistant.threads.setStatus'));
    letGo();
    await eventually(() => expect(said(thread)).toContain('open on weekdays from nine to five'));
    await slack.post(slackFixture('mention'), {
      'x-slack-retry-num': '1',
      'x-slack-retry-reason': 'http_timeout',
    });
    const other = mention('When are you open?');
    await slack.tell(other.payload);
    await eventually(() => expect(said(other.ts)).toContain('nine to five'));
    expect(slack.messages.filter((message) => message.thread === thread)).toHaveLength(1);
  });

  test('a follow-up in the thread needs no mention and belongs to the conversation', async () => {
    const first = await conversation(lane(thread));
    await slack.tell(slackFixture('thread-follow-up'));
    await eventually(() =>
      expect(slack.messages.filter((message) => message.thread === thread)).toHaveLength(2),
    );
    expect(await conversation(lane(thread))).toMatchObject({ id: first?.id });
  });

  test('acknowledges messages to others with 200 and does not store them', async () => {
    const names = [
      'channel-chatter',
      'thread-to-somebody-else',
      'own-answer',
      'other-bot',
      'own-answer-growing',
      'system',
      'pin',
      'command',
      'held-back',
    ];
    const before = (await events()).length;
    for (const name of names) expect(await slack.tell(slackFixture(name)), name).toBe(200);
    expect(await events()).toHaveLength(before);
  });

  test('a follow-up that arrives before the mention is answered with it', async () => {
    const { ts, payload } = mention('When are you open?');
    const follow = z.looseObject({ event: z.looseObject({}) }).parse(slackFixture('thread-follow-up'));
    const later = ts.replace('.000', '.900');
    const event = { ...follow.event, text: 'I mean on weekdays', thread_ts: ts, ts: later, event_ts: later };
    await slack.tell({ ...follow, event_id: 'EvOvertaking', event });
    await slack.tell(payload);
    await eventually(() => expect(said(ts)).toContain('nine to five'));
    const rows = await runtime.database.kysely
      .selectFrom('message')
      .select('content')
      .where('content', 'like', '%I mean on weekdays')
      .execute();
    expect(rows).toEqual([{ content: 'When are you open?\nI mean on weekdays' }]);
  });

  test('ignores people in threads without the bot', async () => {
    const { event_id: _, ...follow } = slackFixture('thread-follow-up');
    const event = z.looseObject({}).parse(follow.event);
    const ts = '1790000399.000399';
    const before = slack.messages.length;
    await slack.tell({
      ...follow,
      event_id: 'EvElsewhere',
      event: { ...event, thread_ts: '1780000000.000001', ts, event_ts: ts },
    });
    await eventually(async () => {
      const stored = (await events()).find(({ event_id }) => event_id.endsWith(ts));
      expect(stored?.handled_at).not.toBeNull();
    });
    expect(slack.messages).toHaveLength(before);
  });

  test('after a mention in the middle of a thread, the bot knows it, follows no instructions in it, and reports it to an agent', async () => {
    const root = '1790000004.000104';
    const talk = 'I want to speak to a human about the guarantee!';
    slack.threads.set(`${help}/${root}`, [{ ts: root, user: 'U0CLEO003', text: talk }]);
    slack.people.set('U0CLEO003', { profile: { real_name: 'Cleo Chard' } });
    slack.people.set('U0BEN0002', { profile: { real_name: 'Ben Beet', email: 'ben@garden.example' } });
    await slack.tell(slackFixture('thread-mention-of-us'));
    await eventually(() => expect(said(root)).not.toBe(''));
    const { id } = (await conversation(lane(root))) ?? { id: '' };
    const shown = await app.inject({
      method: 'GET',
      url: `/v1/conversations/${id}`,
      headers: { authorization: `Bearer ${workspace.key}` },
    });
    expect(shown.json()).toMatchObject({
      status: 'open',
      customer: { name: 'Ben Beet', email: 'ben@garden.example', email_verified: true },
      internal_notes: [{ content: expect.stringContaining(`Cleo Chard: ${talk}`) }],
    });
  });

  test('direct messages are one conversation, answered in the thread of each question', async () => {
    await slack.tell(slackFixture('direct-question'));
    await eventually(() => expect(said('1790000010.000110', direct)).toContain('nine to five'));
    await slack.tell(slackFixture('direct-follow-up'));
    await eventually(() => expect(said('1790000011.000111', direct)).not.toBe(''));
    const turns = await runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('session_id', '=', `${channel.id}:T0GARDEN1/${direct}`)
      .execute();
    expect(turns).toHaveLength(1);
  });

  test('answers an unreadable file with a sentence, and fetches it from Slack on request', async () => {
    const fixture = JSON.stringify(slackFixture('direct-files'));
    const there = /https:\/\/files\.slack\.com\/[^"]*\/download\/plant\.png/;
    await slack.tell(JSON.parse(fixture.replace(there, slack.picture)));
    await eventually(() => expect(said('1790000014.000114', direct)).toContain('cannot read'));
    const file = await fetchVisitorFile({ runtime, operate, workspace });
    expect([file.statusCode, file.body]).toEqual([200, 'a picture']);
  });

  test('stores a thumb below an answer as feedback, and a different one replaces it', async () => {
    const message = slack.messages.find((each) => each.thread === thread);
    const pressed = (value: string) => {
      const press = z
        .looseObject({ container: z.looseObject({}), actions: z.array(z.looseObject({})) })
        .parse(slackFixture('press-up'));
      const container = { ...press.container, message_ts: message?.ts };
      return {
        ...press,
        container,
        actions: press.actions.map((action) => ({
          ...action,
          value,
          action_ts: `179000050${value.length}.000001`,
        })),
      };
    };
    const opinions = async () => {
      const { id } = (await conversation(lane(thread))) ?? { id: '' };
      const rows = await runtime.database.kysely
        .selectFrom('message')
        .select('feedback')
        .where('conversation_id', '=', id)
        .where('feedback', 'is not', null)
        .execute();
      return rows.map(({ feedback }) => feedback);
    };
    await slack.tell(pressed('up'));
    await eventually(async () => expect(await opinions()).toEqual(['up']));
    await slack.tell(pressed('down'));
    await eventually(async () => expect(await opinions()).toEqual(['down']));
  });

  test('an edit by the visitor changes the stored message', async () => {
    await slack.tell(slackFixture('edited'));
    await eventually(async () => {
      const rows = await runtime.database.kysely
        .selectFrom('message')
        .select('content')
        .where('content', 'in', ['And on Saturday?', 'And on Sunday?'])
        .where('workspace_id', '=', workspace.id)
        .execute();
      expect(rows.map(({ content }) => content)).not.toContain('And on Saturday?');
    });
  });

  test('offers suggested questions when a visitor opens the direct messages', async () => {
    await slack.tell(slackFixture('opened'));
    await eventually(() => expect(slack.countOf('assistant.threads.setSuggestedPrompts')).toBe(1));
  });

  test('a press on the agent button escalates, and the bot is silent afterwards', async () => {
    await slack.tell(slackFixture('press-person'));
    await eventually(() => expect(said(thread)).toContain('passed this conversation on'));
    await eventually(async () =>
      expect(await conversation(lane(thread))).toMatchObject({ status: 'escalated' }),
    );
  });

  test("sends after Slack's rate limit, and without blocks if Slack rejects them", async () => {
    const limited = mention('When are you open?');
    slack.trouble(
      'chat.postMessage',
      { kind: 'limited', retryAfter: 1 },
      { kind: 'refused', error: 'invalid_blocks' },
    );
    slack.trouble('chat.startStream', { kind: 'missing' });
    await slack.tell(limited.payload);
    await eventually(() => expect(said(limited.ts)).toContain('nine to five'));
    expect(slack.messages.filter((message) => message.thread === limited.ts)).toHaveLength(1);
  });

  test('does not retry an archived channel and marks it as unreachable', async () => {
    slack.channels.set(help, 'archived');
    const lost = mention('When are you open?');
    await slack.tell(lost.payload);
    await eventually(async () => {
      const parts = await runtime.database.kysely
        .selectFrom('outbound_part')
        .select(['status', 'failure'])
        .where('lane', '=', lane(lost.ts))
        .execute();
      expect(parts).toEqual([{ status: 'failed', failure: expect.stringContaining('is_archived') }]);
    });
    slack.channels.set(help, 'open');
  });

  test.each([
    ['an invalid secret', (body: string) => signSlack(body, 'another-secret', new Date())],
    ['a missing signature', () => ({})],
    [
      'an expired signature',
      (body: string) => signSlack(body, slack.app.signingSecret, new Date(Date.now() - 301_000)),
    ],
    ['a signature of another body', () => signSlack('{}', slack.app.signingSecret, new Date())],
  ])('rejects %s with 401, and stores nothing', async (_, headersFor) => {
    const before = await events();
    const { payload } = mention('Forged?');
    const body = JSON.stringify(payload);
    const response = await app.inject({
      method: 'POST',
      url: `/webhooks/${channel.id}`,
      headers: { 'content-type': 'application/json', ...headersFor(body) },
      payload: body,
    });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ code: 'invalid_signature' });
    expect(await events()).toEqual(before);
  });

  test('rejects a valid request that is replayed later, and ignores one that is replayed at once', async () => {
    const { payload } = mention('Replayed?');
    const body = JSON.stringify(payload);
    const old = signSlack(body, slack.app.signingSecret, new Date(Date.now() - 301_000));
    const send = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: `/webhooks/${channel.id}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: body,
      });
    const now = signSlack(body, slack.app.signingSecret, new Date());
    const before = (await events()).length;
    expect((await send(old)).statusCode).toBe(401);
    expect(await events()).toHaveLength(before);
    expect([(await send(now)).statusCode, (await send(now)).statusCode]).toEqual([200, 200]);
    expect(await events()).toHaveLength(before + 1);
  });

  test("answers Slack's unsigned certificate check without an effect", async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const check = (payload: string) =>
      app.inject({ method: 'POST', url: `/webhooks/${channel.id}`, headers, payload });
    expect((await check('ssl_check=1&token=x')).statusCode).toBe(200);
    expect((await check('ssl_check=1&payload={}')).statusCode).toBe(401);
  });

  test('accepts every kind of payload, and leaves no pending work', async () => {
    const skipped = ['uninstalled', 'token-revoked', 'handshake'];
    for (const name of slackFixtures().filter((each) => !skipped.includes(each)))
      expect(await slack.tell(slackFixture(name)), name).toBe(200);
    await eventually(async () => {
      const left = (await events()).filter(
        ({ handled_at, failure }) => handled_at === null || failure !== null,
      );
      expect(left).toEqual([]);
    });
    expect(slack.messages.map(shownIn).join('\n')).not.toContain('undefined');
  });

  test('reports a silently revoked token to the operator, and sends pending parts with a valid one', async () => {
    const { ts, payload } = mention('When are you open?');
    slack.revoked.add(slack.app.botToken);
    await slack.tell(payload);
    const path = `/workspaces/${workspace.id}/channels/${channel.id}`;
    await eventually(async () =>
      expect((await operate('GET', path)).json()).toMatchObject({
        status: 'error',
        last_error: expect.stringContaining('token_revoked'),
      }),
    );
    slack.revoked.clear();
    const mended = await operate('PATCH', path, { credentials: { bot_token: slack.app.botToken } });
    expect(mended.json()).toMatchObject({ status: 'connected', last_error: null });
    expect((await operate('POST', '/queues/deliver/retry')).statusCode).toBe(200);
    await eventually(() => expect(said(ts)).toContain('nine to five'));
  });

  test('the channel reports that the app was removed', async () => {
    await slack.tell(slackFixture('uninstalled'));
    await eventually(async () => {
      const shown = await runtime.database.kysely
        .selectFrom('channel')
        .select(['status', 'last_error'])
        .where('id', '=', channel.id)
        .executeTakeFirst();
      expect(shown).toMatchObject({ status: 'error', last_error: expect.stringContaining('removed') });
    });
  });
});

test('socket mode answers and acknowledges the same', async () => {
  const { slack, eventually, operate, workspace, channel } = await openSlackServer({ mode: 'socket' });
  slack.channels.set(help, 'open');
  await slack.sockets.until(() => slack.sockets.connections() === 1);
  await slack.sockets.tell('events_api', slackFixture('mention')).acknowledged;
  await slack.sockets.tell('events_api', slackFixture('mention-as-message')).acknowledged;
  await eventually(() => expect(slack.said(help, thread)).toContain('nine to five'));
  await slack.sockets.tell('interactive', slackFixture('press-person')).acknowledged;
  await eventually(() => expect(slack.said(help, thread)).toContain('passed this conversation on'));
  expect(slack.messages).toHaveLength(2);
  await slack.sockets.tell('events_api', slackFixture('uninstalled')).acknowledged;
  const shown = async () =>
    (await operate('GET', `/workspaces/${workspace.id}/channels/${channel.id}`)).json();
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'error' }));
  // The socket stays open, and its events are stored after that is recorded.
  await slack.sockets.tell('events_api', slackFixture('direct-question')).acknowledged;
  expect(await shown()).toMatchObject({ status: 'error', last_error: expect.stringContaining('removed') });
});
