import { describe, expect, test } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { twilioFixture, twilioFixtures } from '../../../helpers/platforms/twilio/fixture.ts';
import { openTwilioServer } from '../../../helpers/servers/channels/open-twilio-server.ts';

let last = 0x1000;
/** A visitor's message as Twilio posts it. */
const from = (visitor: string, body: string, more: Readonly<Record<string, string>> = {}) => {
  last += 1;
  const sid = `SM${last.toString(16).padStart(32, '0')}`;
  return {
    ...twilioFixture('sms-question'),
    MessageSid: sid,
    SmsSid: sid,
    From: visitor,
    Body: body,
    ...more,
  };
};
const long = Array.from(
  { length: 12 },
  (_, index) => `Rule ${index + 1} of the warranty — it’s what “covered” means for pots number ${index + 1}.`,
).join(' ');

/** Writes a long text on request, and otherwise answers from the documents. */
const writer: AnswerWriter = {
  async *write({ question, passages }) {
    yield { text: question.includes('rule by rule') ? long : (passages[0]?.text ?? '') };
  },
};

describe('SMS by Twilio', async () => {
  const server = await openTwilioServer({ channel: 'sms', writer });
  const { twilio, sentTo, eventually, settled, runtime, operate, workspace, conversationOf, integrate } =
    server;
  const lane = async (visitor: string) =>
    runtime.database.kysely
      .selectFrom('lane')
      .select(['reachable', 'opted_out'])
      .where('lane', '=', `${twilio.number}/${visitor}`)
      .executeTakeFirst();

  test('accepts a number of the account and rejects another', async () => {
    expect(server.channel.status).toBe('connected');
    const add = (settings: object, token = twilio.account.token) =>
      operate('POST', `/workspaces/${workspace.id}/channels`, {
        channel: 'sms',
        name: 'Another',
        credentials: { account_sid: twilio.account.sid, auth_token: token },
        settings: { api_base_url: twilio.url, ...settings },
      });
    expect((await add({ from: '+15550009999' })).json().detail).toContain(
      'is not a number of this Twilio account',
    );
    expect((await add({ from: twilio.service })).statusCode).toBe(201);
    expect((await add({ from: twilio.number }, 'wrong')).json().detail).toContain('Twilio error 20003');
    expect((await add({ from: 'Garden' })).statusCode).toBe(422);
  });

  test('answers a question from the documents in plain text, and requests status callbacks', async () => {
    const response = await twilio.tell(twilioFixture('sms-question'));
    expect([response.status, await response.text()]).toEqual([200, '<Response/>']);
    await eventually(() => expect(sentTo('+46700100200').join()).toContain('nine to five'));
    const [{ fields } = { fields: {} }] = twilio.sent;
    expect(fields).toMatchObject({ From: twilio.number, StatusCallback: server.channel.webhook_url });
  });

  test('says before its first answer that a machine answers, and not before the next', async () => {
    const visitor = '+46700100240';
    await twilio.tell(from(visitor, 'When is the shop open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    await settled();
    await twilio.tell(from(visitor, 'Is this a human or a robot?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(2));
    const [first, second] = sentTo(visitor);
    expect(first).toMatch(
      /^A machine answers from our help pages\. You can ask for a person at any time\.\n\n/,
    );
    expect(first).toContain('nine to five');
    expect(second).toMatch(/^You are talking to a machine.*bring in a person from the team\?$/);
  });

  test('a repeated message has no effect, and the visitor is identified by their number', async () => {
    await twilio.tell(twilioFixture('sms-question'));
    await twilio.tell(from('+46700100201', 'When are you open?'));
    await eventually(() => expect(sentTo('+46700100201')).toHaveLength(1));
    expect(sentTo('+46700100200')).toHaveLength(1);
    const id = await conversationOf('+46700100200');
    expect((await integrate('GET', `/conversations/${id}`)).json()).toMatchObject({
      channel: 'sms',
      customer: { phone: '+46700100200' },
      reply_window: null,
    });
  });

  test('shortens a long answer, and sends the rest in pieces on request', async () => {
    const visitor = '+46700100202';
    await twilio.tell(from(visitor, 'When is the shop open, rule by rule?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    await settled();
    expect(sentTo(visitor)[0]).toMatch(/Reply MORE for the rest\.$/);
    for (const count of [2, 3]) {
      await twilio.tell(from(visitor, ' More '));
      await eventually(() => expect(sentTo(visitor)).toHaveLength(count));
    }
    for (const body of sentTo(visitor)) {
      expect(body.length).toBeLessThanOrEqual(320);
      expect(body).not.toMatch(/[—’“”]/);
    }
    const id = await conversationOf(visitor);
    const { messages } = (await integrate('GET', `/conversations/${id}`)).json();
    expect(messages).toHaveLength(2);
  });

  test('treats the word as a question if there is no more', async () => {
    const visitor = '+46700100203';
    await twilio.tell(from(visitor, 'more'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const id = await conversationOf(visitor);
    const { messages } = (await integrate('GET', `/conversations/${id}`)).json();
    expect(messages[0]).toMatchObject({ role: 'user', content: 'more' });
  });

  test('passes the word to the agent who took over, and sends nothing more of the answer', async () => {
    const visitor = '+46700100220';
    await twilio.tell(from(visitor, 'When is the shop open, rule by rule?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const id = await conversationOf(visitor);
    expect((await integrate('PATCH', `/conversations/${id}`, { status: 'claimed' })).statusCode).toBe(200);
    await twilio.tell(from(visitor, 'MORE'));
    await settled();
    expect(sentTo(visitor)).toHaveLength(1);
    const { messages } = (await integrate('GET', `/conversations/${id}`)).json();
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'MORE' });
  });

  test('does not resend an answer that was accepted without a response', async () => {
    const visitor = '+46700100230';
    twilio.trouble('cut-after');
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const tries = () =>
      runtime.database.kysely
        .selectFrom('outbound_part')
        .select(['status', 'attempts', 'platform_message_id'])
        .where('lane', '=', `${twilio.number}/${visitor}`)
        .orderBy('number')
        .execute();
    await eventually(async () => expect(await tries()).toMatchObject([{ attempts: 1 }]));
    const [message] = twilio.sent.filter(({ to }) => to === visitor);
    await twilio.tell(from(visitor, 'And when on Monday?'));
    await eventually(async () =>
      expect(await tries()).toMatchObject([{ status: 'sent' }, { status: 'sent' }]),
    );
    expect((await tries())[0]).toMatchObject({ platform_message_id: message?.sid });
    expect(sentTo(visitor)).toHaveLength(2);
  });

  test('sends no reply to STOP, and nothing until START', async () => {
    const visitor = '+46700100204';
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const id = await conversationOf(visitor);
    await twilio.tell(from(visitor, ' stop\n'));
    await eventually(async () => expect(await lane(visitor)).toEqual({ reachable: false, opted_out: true }));
    await twilio.tell(from(visitor, 'When are you open on Monday?'));
    await settled();
    expect(sentTo(visitor)).toHaveLength(1);
    const refused = await operate('POST', `/workspaces/${workspace.id}/conversations/${id}/reply`, {
      content: 'A person here.',
      author_email: 'ann@example.com',
    });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'channel_unreachable']);
    await twilio.tell(from(visitor, 'START'));
    await eventually(async () => expect(await lane(visitor)).toEqual({ reachable: true, opted_out: false }));
    await twilio.tell(from(visitor, 'When are you open on Tuesday?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(2));
  });

  test('answers "Stop texting me", and a yes from a visitor who never opted out', async () => {
    const visitor = '+46700100205';
    await twilio.tell(from(visitor, 'Stop texting me'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    await twilio.tell(from(visitor, 'Yes'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(2));
    expect(await lane(visitor)).toEqual({ reachable: true, opted_out: false });
  });

  test('leaves HELP to Twilio', async () => {
    const visitor = '+46700100206';
    await twilio.tell(from(visitor, 'help'));
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    await settled();
    expect(sentTo(visitor)).toHaveLength(1);
  });

  test('an earlier opt-out makes the visitor unreachable when Twilio reports it, with a clear reason', async () => {
    const visitor = '+46700100207';
    twilio.optedOut.add(visitor);
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(async () => expect(await lane(visitor)).toEqual({ reachable: false, opted_out: false }));
    const failed = (await server.parts()).filter(({ status }) => status === 'failed');
    expect(failed.map(({ failure }) => failure)).toEqual([
      'The recipient opted out with STOP. Messages are blocked until they send START. (Twilio error 21610)',
    ]);
  });

  test('records the status of a message once, in any order of reports', async () => {
    const visitor = '+46700100208';
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const message = twilio.sent.find(({ to }) => to === visitor);
    if (message === undefined) throw new TypeError('nothing was sent');
    const part = async () =>
      (await server.parts()).find(({ platform_message_id }) => platform_message_id === message.sid);
    await twilio.report(message, 'delivered');
    await twilio.report(message, 'sent');
    await twilio.report(message, 'delivered');
    await eventually(async () => expect(await part()).toMatchObject({ status: 'delivered', failure: null }));
    await twilio.report(message, 'undelivered', { ErrorCode: '30007' });
    await eventually(async () =>
      expect(await part()).toMatchObject({
        status: 'delivered',
        failure: expect.stringContaining(
          'Reported as failed afterwards: The carrier filtered the message as spam',
        ),
      }),
    );
  });

  test('waits for a rate limit, and retries after a broken connection', async () => {
    const visitor = '+46700100209';
    twilio.trouble({
      status: 429,
      code: 20_429,
      message: 'Too Many Requests',
      headers: { 'retry-after': '1' },
    });
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
  });

  test('rejects posts that Twilio did not sign, and ignores those for another number or account', async () => {
    const unsigned = await fetch(`${'http://127.0.0.1'}:${addressOfServer()}/webhooks/${server.channel.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'AAAA' },
      body: new URLSearchParams(from('+46700100210', 'forged')),
    });
    expect(unsigned.status).toBe(401);
    expect((await twilio.tell(from('+46700100211', 'elsewhere', { To: '+15550001111' }))).status).toBe(200);
    expect(
      (await twilio.tell(from('whatsapp:+46700100212', 'elsewhere', { To: `whatsapp:${twilio.number}` })))
        .status,
    ).toBe(200);
    const rows = await runtime.database.kysely
      .selectFrom('lane')
      .select('lane')
      .where('lane', 'like', '%4670010021%')
      .execute();
    expect(rows).toEqual([]);
  });

  test('accepts every kind of post, and leaves no pending work', async () => {
    for (const name of twilioFixtures('sms'))
      expect((await twilio.tell(twilioFixture(name))).status).toBe(200);
    await settled();
  });

  function addressOfServer(): string {
    const address = server.app.server.address();
    return address !== null && typeof address === 'object' ? String(address.port) : '';
  }
});
