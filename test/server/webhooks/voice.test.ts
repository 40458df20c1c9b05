import { once } from 'node:events';
import { sql } from 'kysely';
import twilio from 'twilio';
import { beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { voiceFixture } from '../../helpers/platforms/twilio/voice-fixture.ts';
import { openVoiceServer, voiceCredentials } from '../../helpers/servers/channels/open-voice-server.ts';

const answer = 'We are open from 9 AM to 5 PM. On Sundays we are closed.';
const stored = 'We are open from 9:00 to 17:00. On Sundays we are closed.';
let callers = 0;
/** A number that has not called yet. */
const caller = () => {
  callers += 1;
  return `+1555100${String(callers).padStart(4, '0')}`;
};

describe('the telephone', async () => {
  const server = await openVoiceServer();
  const { pace, call, eventually, runtime, operate, workspace, channel } = server;
  beforeEach(() => {
    pace.until = Promise.resolve();
  });

  test('answers questions, offers the link, and sends it on request', async () => {
    const From = caller();
    const phone = call({ From });
    expect(await phone.begin()).toMatch(
      /^A machine answers from our help pages\. You can ask for a person at any time\. Hello!/,
    );
    expect(await phone.says('When are you open?')).toContain(
      `${answer} Shall I send you the link by text message?`,
    );
    expect(await server.sent()).toEqual([]);
    expect(phone.heard.filter(({ said }) => said.includes('machine'))).toHaveLength(1);
    expect(await phone.says('Yes, please')).toContain('I am sending you the link now.');
    await eventually(async () =>
      expect(await server.sent()).toMatchObject([
        { to: From, body: expect.stringContaining('https://shop.example/hours') },
      ]),
    );
    expect(await phone.says('No, thanks')).toMatch(/Goodbye\.$/);
    expect(await server.said(From)).toEqual(['user: When are you open?', `assistant: ${stored}`]);
  });

  test('speaks within seconds while the answer is generated, then gives the answer as soon as it is ready', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pace.until = promise;
    const phone = call({ From: caller() });
    await phone.begin();
    const said = phone.says('When are you open?');
    await eventually(() => expect(phone.heard[1]?.said).toBe('One moment, please.'));
    expect(phone.heard[1]?.tookMs).toBeLessThan(5_000);
    resolve();
    expect(await said).toContain(answer);
  });

  test('speaks in time even if the database is busy, and loses no question', async () => {
    const phone = call({ From: caller() });
    await phone.begin();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const busy = runtime.database.kysely.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      begin();
      await over;
    });
    await begun;
    const first = await phone.ask({ SpeechResult: 'When are you open?', Confidence: '0.91' });
    expect(first.said).toBe('One moment, please.');
    expect(first.tookMs).toBeLessThan(5_000);
    const said = phone.follow(first);
    end();
    await busy;
    expect(await said).toContain(answer);
  });

  test('a repeated request has one effect', async () => {
    const From = caller();
    const phone = call({ From });
    await phone.begin();
    const { action } = phone;
    await phone.says('When are you open?');
    const again = await phone.ask({ SpeechResult: 'When are you open?', Confidence: '0.91' }, action);
    expect(again.said).toContain('I lost that');
    expect(await server.said(From)).toHaveLength(2);
  });

  test('gives two simultaneous callers of one number their own answers', async () => {
    const From = caller();
    const [one, other] = [call({ From }), call({ From })];
    await Promise.all([one.begin(), other.begin()]);
    const said = await Promise.all([one.says('When are you open?'), other.says('Are you open on Sundays?')]);
    expect(said.map((words) => words.includes(answer))).toEqual([true, true]);
    expect(await server.said(From)).toHaveLength(4);
  });

  test('passes a caller to an agent on request, and says so on the next call', async () => {
    const From = caller();
    const phone = call({ From });
    await phone.begin();
    expect(await phone.presses('0')).toMatch(/passed this conversation on.*will call you back.*Goodbye/);
    await phone.hangsUp();
    const again = call({ From });
    expect(await again.begin()).toMatch(/A person of our team is looking after your question/);
    const path = `/workspaces/${workspace.id}/channels/${channel.id}`;
    await operate('PATCH', path, { settings: { transfer_to: '+15559990000', verify: false } });
    const third = call({ From });
    await third.begin();
    expect(third.heard[0]?.twiml).toMatch(/<Dial [^>]+>\+15559990000<\/Dial>/);
    expect(await third.ask({ DialCallStatus: 'busy' }, `${channel.webhook_url}?step=dialled`)).toMatchObject({
      said: expect.stringContaining('nobody can take your call'),
    });
    await operate('PATCH', path, { settings: { transfer_to: null, verify: false } });
  });

  test("speaks an agent's reply while the caller is on the line, and rejects it afterwards", async () => {
    const From = caller();
    const phone = call({ From });
    await phone.begin();
    await phone.says('When are you open?');
    const { conversation_id } = await runtime.database.kysely
      .selectFrom('lane')
      .select('conversation_id')
      .where('lane', 'like', `${From}/%`)
      .executeTakeFirstOrThrow();
    const reply = (content: string) =>
      operate('POST', `/workspaces/${workspace.id}/conversations/${conversation_id}/reply`, {
        content,
        author_email: 'bea@shop.example',
      });
    expect((await reply('Bea here, one second.')).statusCode).toBe(201);
    expect(await phone.says('And at Christmas?')).toContain('Bea here, one second.');
    await phone.hangsUp();
    await eventually(async () =>
      expect((await reply('Hello?')).json()).toMatchObject({ code: 'channel_unreachable' }),
    );
  });

  test('gives up messages for callers who have hung up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pace.until = promise;
    const From = caller();
    const phone = call({ From });
    await phone.begin();
    await phone.ask({ SpeechResult: 'When are you open?', Confidence: '0.91' });
    await phone.hangsUp();
    resolve();
    await eventually(async () => {
      const rows = await runtime.database.kysely
        .selectFrom('outbound_part')
        .select(['status', 'failure'])
        .where('lane', 'like', `${From}/%`)
        .where('part', '=', 0)
        .execute();
      expect(rows).toEqual([{ status: 'failed', failure: 'The call ended before the answer was spoken.' }]);
    });
  });

  test('rejects requests that Twilio did not sign, and stores nothing', async () => {
    const phone = call({ From: caller() }, 'a-forged-token');
    expect((await phone.ask({ SpeechResult: 'Forged', Confidence: '0.9' })).status).toBe(401);
    const { rows } = await runtime.database.pool.query(
      `select 1 from inbound_event where native::text like '%Forged%'`,
    );
    expect(rows).toEqual([]);
  });

  test('leaves no pending work', async () => {
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

describe('the telephone by ConversationRelay', async () => {
  const server = await openVoiceServer({ relay: true });
  const { pace, channel, address, call } = server;
  const heardSchema = z.object({
    type: z.string(),
    token: z.string().optional(),
    last: z.boolean().optional(),
  });

  async function relay(From: string, token = voiceCredentials.auth_token) {
    const url = channel.webhook_url.replace(/^https/, 'wss');
    const signature = twilio.getExpectedTwilioSignature(token, url, {});
    const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/webhooks/${channel.id}`, {
      headers: { 'x-twilio-signature': signature },
    });
    const heard: z.infer<typeof heardSchema>[] = [];
    socket.on('message', (data) => heard.push(heardSchema.parse(JSON.parse(data.toString()))));
    socket.on('error', () => {});
    await once(socket, 'open');
    const tell = (message: object) => socket.send(JSON.stringify(message));
    tell({ ...voiceFixture('relay-setup'), from: From, sessionId: `VX${From.slice(1)}` });
    return {
      socket,
      heard,
      tell,
      said: () =>
        heard
          .map(({ token: words = '' }) => words)
          .join('')
          .trim(),
    };
  }

  test('starts with its socket', async () => {
    const phone = call({ From: caller() });
    await phone.begin();
    expect(phone.heard[0]?.twiml).toContain(
      `<ConversationRelay url="wss://voice.example/webhooks/${channel.id}"`,
    );
  });

  test('answers while the answer is generated, and stores only the spoken part', async () => {
    pace.until = new Promise(() => {});
    const From = caller();
    const { socket, tell, said, heard } = await relay(From);
    tell({ type: 'prompt', voicePrompt: 'When are you open?', lang: 'en-US', last: true });
    await server.eventually(() => expect(said()).toContain('We are open from 9 AM to 5 PM.'));
    tell({ type: 'interrupt', utteranceUntilInterrupt: 'We are open', durationUntilInterruptMs: 460 });
    await server.eventually(async () =>
      expect(await server.said(From)).toEqual(['user: When are you open?', 'assistant: We are open']),
    );
    pace.until = Promise.resolve();
    tell({ type: 'prompt', voicePrompt: 'When are you open then?', lang: 'en-US', last: true });
    await server.eventually(() => expect(heard.at(-1)).toMatchObject({ last: true }));
    expect(said()).toContain('Shall I send you the link by text message?');
    tell({ type: 'dtmf', digit: '9' });
    await server.eventually(async () => expect(await server.sent()).toMatchObject([{ to: From }]));
    socket.close();
    await once(socket, 'close');
  });

  test('stores the generated part if the caller hangs up, and generates no more', async () => {
    pace.until = new Promise(() => {});
    const From = caller();
    const { socket, tell, said } = await relay(From);
    tell({ type: 'prompt', voicePrompt: 'When are you open?', lang: 'en-US', last: true });
    await server.eventually(() => expect(said()).toContain('We are open from 9 AM to 5 PM.'));
    socket.close();
    await server.eventually(async () =>
      expect(await server.said(From)).toEqual([
        'user: When are you open?',
        expect.stringMatching(/^assistant: We are open from 9:00 to 17:00/),
      ]),
    );
    const left = await server.runtime.database.kysely
      .selectFrom('inbound_event')
      .select('event_id')
      .where('handled_at', 'is', null)
      .execute();
    expect(left).toEqual([]);
  });

  test('an interruption before the first word keeps the question and no answer', async () => {
    pace.begins = new Promise(() => {});
    const From = caller();
    const { tell, said, heard, socket } = await relay(From);
    tell({ type: 'prompt', voicePrompt: 'When are you open?', lang: 'en-US', last: true });
    await server.eventually(() => expect(said()).toContain('One moment, please.'));
    tell({ type: 'interrupt', utteranceUntilInterrupt: 'One', durationUntilInterruptMs: 200 });
    pace.begins = Promise.resolve();
    pace.until = Promise.resolve();
    tell({ type: 'prompt', voicePrompt: 'On Sundays, I mean?', lang: 'en-US', last: true });
    await server.eventually(() => expect(heard.at(-1)).toMatchObject({ last: true }));
    expect(said()).toContain('We are open from 9 AM to 5 PM.');
    const kept = (await server.said(From)).filter((words) => words !== 'assistant: ');
    expect(kept).toEqual(['user: When are you open?', 'user: On Sundays, I mean?', `assistant: ${stored}`]);
    socket.close();
  });

  test('a broken socket during an answer ends neither the call nor the conversation', async () => {
    pace.until = new Promise(() => {});
    const From = caller();
    const phone = call({ From });
    await phone.begin();
    const { tell, said, socket } = await relay(From);
    tell({ type: 'prompt', voicePrompt: 'When are you open?', lang: 'en-US', last: true });
    await server.eventually(() => expect(said()).toContain('We are open from 9 AM to 5 PM.'));
    socket.terminate();
    pace.until = Promise.resolve();
    const failed = { SessionStatus: 'failed', SessionId: `VX${From.slice(1)}` };
    const first = await phone.ask(failed, `${channel.webhook_url}?step=relayed`);
    expect(await phone.follow(first)).toContain('Could you ask again');
    expect(await phone.says('When are you open, please?')).toContain(answer);
    expect((await server.said(From)).filter((words) => words.startsWith('user'))).toHaveLength(2);
  });

  test("speaks an agent's reply while the caller is on the line", async () => {
    const From = caller();
    const phone = call({ From });
    await phone.begin();
    const sid = String(voiceFixture('relay-setup').callSid);
    const { tell, said, heard, socket } = await relay(From);
    tell({ type: 'prompt', voicePrompt: 'When are you open?', lang: 'en-US', last: true });
    await server.eventually(() => expect(heard.at(-1)).toMatchObject({ last: true }));
    expect(said()).toContain('On Sundays we are closed.');
    const { conversation_id } = await server.runtime.database.kysely
      .selectFrom('lane')
      .select('conversation_id')
      .where('lane', 'like', `${From}/%`)
      .executeTakeFirstOrThrow();
    const path = `/workspaces/${server.workspace.id}/conversations/${conversation_id}/reply`;
    const written = await server.operate('POST', path, {
      content: 'Bea here, one second.',
      author_email: 'bea@shop.example',
    });
    expect(written.statusCode).toBe(201);
    tell({ type: 'prompt', voicePrompt: 'And at Christmas?', lang: 'en-US', last: true });
    await server.eventually(() => expect(heard.at(-1)).toMatchObject({ type: 'end' }));
    socket.close();
    const over = { CallSid: sid, SessionStatus: 'ended', HandoffData: '{"reason":"person"}' };
    expect((await phone.ask(over, `${channel.webhook_url}?step=relayed`)).said).toContain(
      'Bea here, one second.',
    );
  });

  test('rejects sockets that Twilio did not sign', async () => {
    await expect(relay(caller(), 'a-forged-token')).rejects.toThrow('401');
  });
});
