import { describe, expect, test } from 'vitest';
import { openTwilioServer } from '../../../helpers/open-twilio-server.ts';
import { twilioFixture, twilioFixtures } from '../../../helpers/twilio-fixture.ts';

let last = 0x2000;
/** A message of a visitor as Twilio posts it. */
const from = (visitor: string, body: string, more: Readonly<Record<string, string>> = {}) => {
  last += 1;
  const sid = `SM${last.toString(16).padStart(32, '0')}`;
  return {
    ...twilioFixture('whatsapp-question'),
    MessageSid: sid,
    SmsSid: sid,
    From: visitor,
    Body: body,
    ...more,
  };
};

describe('WhatsApp by Twilio', async () => {
  const server = await openTwilioServer({ channel: 'whatsapp' });
  const { twilio, sentTo, eventually, operate, workspace, conversationOf, integrate } = server;
  const ana = 'whatsapp:+46700100200';

  test('a question is answered, with typing shown meanwhile that names it', async () => {
    const question = twilioFixture('whatsapp-question');
    await twilio.tell(question);
    await eventually(() => expect(sentTo(ana).join()).toContain('nine to five'));
    const [typing] = twilio.calls.filter(({ path }) => path.endsWith('/Typing.json'));
    expect(typing?.fields).toEqual({ channel: 'whatsapp', messageId: question.MessageSid });
    expect(twilio.sent[0]?.fields).toMatchObject({ From: `whatsapp:${twilio.number}`, To: ana });
  });

  test('who is known by an id that is no number is answered, and kept without one', async () => {
    const visitor = 'whatsapp:SE.1349120865530274191';
    await twilio.tell(twilioFixture('whatsapp-by-another-id'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const id = await conversationOf(visitor);
    expect((await integrate('GET', `/conversations/${id}`)).json().customer).toEqual({
      email: null,
      email_verified: null,
      name: 'ana.berg',
      phone: null,
    });
  });

  test('who writes more than a person reads is acknowledged and kept, noted once, and not answered', async () => {
    const visitor = 'whatsapp:+46700100399';
    const most = 20;
    for (let count = 1; count <= most; count += 1) {
      await twilio.tell(from(visitor, `When are you open, for the ${count}th time?`));
      await eventually(() => expect(sentTo(visitor)).toHaveLength(count));
    }
    for (const text of ['And now?', 'And now again?']) {
      expect((await twilio.tell(from(visitor, text))).status).toBe(200);
      await server.settled();
    }
    expect(sentTo(visitor)).toHaveLength(most);
    const id = await conversationOf(visitor);
    const { messages, internal_notes } = (await integrate('GET', `/conversations/${id}`)).json();
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'And now again?' });
    expect(internal_notes.map(({ content }: { content: string }) => content)).toEqual([
      'parked: this conversation received 20 answers within 10 minutes: the sender may be a bot',
    ]);
  }, 90_000);

  test('the number and the name that WhatsApp vouches for are the customer’s', async () => {
    const id = await conversationOf(ana);
    expect((await integrate('GET', `/conversations/${id}`)).json().customer).toEqual({
      email: null,
      email_verified: null,
      name: 'Ana Berg',
      phone: '+46700100200',
    });
  });

  test('a picture is kept as what is known of it, and fetched when it is asked for, by its account alone', async () => {
    const visitor = 'whatsapp:+46700100301';
    const picture = Buffer.from('the bytes of a picture');
    const media = {
      NumMedia: '2',
      MediaContentType0: 'image/jpeg',
      MediaUrl0: twilio.keepFile('image/jpeg', picture),
    };
    const missing = { MediaContentType1: 'audio/ogg', MediaUrl1: `${media.MediaUrl0}0` };
    await twilio.tell(from(visitor, '', { ...media, ...missing }));
    await eventually(() => expect(sentTo(visitor).join()).toContain('cannot read'));
    const id = await conversationOf(visitor);
    const { messages } = (await integrate('GET', `/conversations/${id}`)).json();
    expect(messages[0].attachments).toEqual([
      { kind: 'image', name: null, content_type: 'image/jpeg', bytes: null },
      { kind: 'audio', name: null, content_type: 'audio/ogg', bytes: null },
    ]);
    const fetched = (number: string, of = messages[0].id, conversation = id) =>
      operate(
        'GET',
        `/workspaces/${workspace.id}/conversations/${conversation}/messages/${of}/attachments/${number}`,
      );
    const file = await fetched('0');
    expect([file.statusCode, file.rawPayload.toString()]).toEqual([200, picture.toString()]);
    expect(file.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="attachment-0.jpeg"; filename*=UTF-8''attachment-0.jpeg`,
      'x-content-type-options': 'nosniff',
    });
    for (const gone of [
      await fetched('1'),
      await fetched('2'),
      await fetched('x'),
      await fetched('0', messages[1].id),
    ]) {
      expect([gone.statusCode, gone.json().code]).toEqual([404, 'attachment_not_found']);
    }
    expect((await fetched('0', messages[0].id, 'conv_other')).json().code).toBe('conversation_not_found');
    const other = await server.makeWorkspace();
    const strange = await operate(
      'GET',
      `/workspaces/${other.id}/conversations/${id}/messages/${messages[0].id}/attachments/0`,
    );
    expect(strange.json().code).toBe('conversation_not_found');
    twilio.close();
    const away = await fetched('0');
    expect([away.statusCode, away.json().code]).toEqual([502, 'attachment_unavailable']);
  });
});

test('every kind of post of WhatsApp is taken, and nothing is left undone', async () => {
  const { twilio, settled } = await openTwilioServer({ channel: 'whatsapp' });
  for (const name of twilioFixtures('whatsapp')) {
    expect((await twilio.tell(twilioFixture(name))).status).toBe(200);
  }
  await settled();
});
