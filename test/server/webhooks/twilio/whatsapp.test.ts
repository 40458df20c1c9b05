import { describe, expect, test } from 'vitest';
import { twilioFixture, twilioFixtures } from '../../../helpers/platforms/twilio/fixture.ts';
import { openTwilioServer } from '../../../helpers/servers/channels/open-twilio-server.ts';
import { pngBytes, uploadFile } from '../../../helpers/servers/upload-file.ts';

let last = 0x2000;
/** A visitor's message as Twilio posts it. */
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

  test('answers a question, with a typing indicator for it', async () => {
    const question = twilioFixture('whatsapp-question');
    await twilio.tell(question);
    await eventually(() => expect(sentTo(ana).join()).toContain('nine to five'));
    const [typing] = twilio.calls.filter(({ path }) => path.endsWith('/Typing.json'));
    expect(typing?.fields).toEqual({ channel: 'whatsapp', messageId: question.MessageSid });
    expect(twilio.sent[0]?.fields).toMatchObject({ From: `whatsapp:${twilio.number}`, To: ana });
  });

  test('answers a visitor whose id is not a number, and stores no number', async () => {
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

  test('acknowledges and stores a flood of messages, notes it once, and does not answer it', async () => {
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

  test('uses the number and name that WhatsApp confirms for the customer', async () => {
    const id = await conversationOf(ana);
    expect((await integrate('GET', `/conversations/${id}`)).json().customer).toEqual({
      email: null,
      email_verified: null,
      name: 'Ana Berg',
      phone: '+46700100200',
    });
  });

  test('sends a file of an agent by its link, as one message with its name, after the text', async () => {
    last += 1;
    const visitor = `whatsapp:+4670010${last}`;
    await twilio.tell(from(visitor, 'May I see the plan?'));
    await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    const path = `/workspaces/${workspace.id}/conversations/${await conversationOf(visitor)}`;
    const token = server.runtime.installation.adminToken;
    const upload = async (name: string, bytes: Buffer) =>
      (await uploadFile(server.app, { url: `/admin/v1${path}/files`, token, name, bytes })).json();
    const picture = await upload('Plan.png', pngBytes);
    const text = await upload('List.txt', Buffer.from('Peas, beans'));
    const reply = (content: string, files: readonly { readonly id: string }[]) =>
      operate('POST', `${path}/reply`, {
        ...{ content, file_ids: files.map(({ id }) => id), author_email: 'ann@garden.example' },
      });
    const requests = () =>
      twilio.calls.filter(({ path: at, fields }) => at.endsWith('/Messages.json') && fields.To === visitor);
    const { parts } = (
      await operate('POST', `${path}/reply-preview`, {
        content: 'See:',
        file_ids: [picture.id, text.id],
      })
    ).json();
    const links = `See:\n\nList.txt: ${text.url}`;
    expect(parts).toEqual([
      { subject: null, text: links, html: null, length: links.length, file_ids: [] },
      { subject: null, text: '', html: null, length: 0, file_ids: [picture.id] },
    ]);
    const sent = await reply('See:', [picture, text]);
    expect(sent.statusCode).toBe(201);
    const partsOfReply = () =>
      server.runtime.database.kysely
        .selectFrom('outbound_part')
        .select(['status', 'failure', 'attempts'])
        .where('message_id', '=', sent.json().id)
        .execute();
    const once = { status: 'sent', failure: null, attempts: 1 };
    await eventually(async () => expect(await partsOfReply()).toEqual([once, once]));
    expect(sentTo(visitor)).toHaveLength(3);
    const common = { From: `whatsapp:${twilio.number}`, To: visitor, StatusCallback: expect.any(String) };
    expect(requests().slice(1)).toMatchObject([
      { authorised: true, fields: { ...common, Body: links } },
      { authorised: true, fields: { ...common, Body: 'Plan.png', MediaUrl: picture.url } },
    ]);
    expect(requests()[1]?.fields).not.toHaveProperty('MediaUrl');
    const alone = await upload('Bed.png', pngBytes);
    expect((await reply('', [alone])).statusCode).toBe(201);
    await eventually(() => expect(sentTo(visitor)).toHaveLength(4));
    await server.settled();
    expect(requests()).toHaveLength(4);
    expect(requests()[3]?.fields).toEqual({ ...common, Body: 'Bed.png', MediaUrl: alone.url });
    expect(alone.url).toMatch(/^https:\/\/parley\.example\/help\/files\/[\w-]{43}\/Bed\.png$/);
  });

  test('stores the metadata of a picture, and fetches it on request with its own account only', async () => {
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

test('accepts every kind of WhatsApp post, and leaves no pending work', async () => {
  const { twilio, settled } = await openTwilioServer({ channel: 'whatsapp' });
  for (const name of twilioFixtures('whatsapp')) {
    expect((await twilio.tell(twilioFixture(name))).status).toBe(200);
  }
  await settled();
});
