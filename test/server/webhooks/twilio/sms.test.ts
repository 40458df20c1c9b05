import { describe, expect, test } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { openTwilioServer } from '../../../helpers/open-twilio-server.ts';
import { twilioFixture, twilioFixtures } from '../../../helpers/twilio-fixture.ts';

let last = 0x1000;
/** A message of a visitor as Twilio posts it. */
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

/** Says much where it is asked for much, and what is in the documents otherwise. */
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

  test('a number of the account is accepted, and another is not', async () => {
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

  test('a question is answered from the documents, in plain letters, and Twilio told to report', async () => {
    const response = await twilio.tell(twilioFixture('sms-question'));
    expect([response.status, await response.text()]).toEqual([200, '<Response/>']);
    await eventually(() => expect(sentTo('+46700100200').join()).toContain('nine to five'));
    const [{ fields } = { fields: {} }] = twilio.sent;
    expect(fields).toMatchObject({ From: twilio.number, StatusCallback: server.channel.webhook_url });
  });

  test('the same message again has no effect, and the visitor is known by his number', async () => {
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

  test('a long answer is a short one, and the rest comes piece by piece when it is asked for', async () => {
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

  test('where there is no more, the word is a question like any other', async () => {
    const visitor = '+46700100203';
    await twilio.tell(from(visitor, 'more'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const id = await conversationOf(visitor);
    const { messages } = (await integrate('GET', `/conversations/${id}`)).json();
    expect(messages[0]).toMatchObject({ role: 'user', content: 'more' });
  });

  test('the word is told to the person who has the conversation, and nothing of the answer is sent any more', async () => {
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

  test('an answer that was taken without our hearing of it is not sent again', async () => {
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

  test('STOP is answered by nothing of ours, and nothing is sent until START', async () => {
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

  test('"Stop texting me" is said to us, and so is a yes of somebody who never said stop', async () => {
    const visitor = '+46700100205';
    await twilio.tell(from(visitor, 'Stop texting me'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    await twilio.tell(from(visitor, 'Yes'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(2));
    expect(await lane(visitor)).toEqual({ reachable: true, opted_out: false });
  });

  test('HELP is left to Twilio', async () => {
    const visitor = '+46700100206';
    await twilio.tell(from(visitor, 'help'));
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    await settled();
    expect(sentTo(visitor)).toHaveLength(1);
  });

  test('who opted out before we knew him is unreachable once Twilio says so, with plain words', async () => {
    const visitor = '+46700100207';
    twilio.optedOut.add(visitor);
    await twilio.tell(from(visitor, 'When are you open?'));
    await eventually(async () => expect(await lane(visitor)).toEqual({ reachable: false, opted_out: false }));
    const failed = (await server.parts()).filter(({ status }) => status === 'failed');
    expect(failed.map(({ failure }) => failure)).toEqual([
      'The recipient opted out with STOP. Messages are blocked until they send START. (Twilio error 21610)',
    ]);
  });

  test('what became of a message is kept, in whatever order it is told, once', async () => {
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

  test('a limit is waited for, and a connection that ends is tried again', async () => {
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

  test('what Twilio did not sign is refused, and what is for another number or account is not kept', async () => {
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

  test('every kind of post is taken, and nothing is left undone', async () => {
    for (const name of twilioFixtures('sms'))
      expect((await twilio.tell(twilioFixture(name))).status).toBe(200);
    await settled();
  });

  function addressOfServer(): string {
    const address = server.app.server.address();
    return address !== null && typeof address === 'object' ? String(address.port) : '';
  }
});
