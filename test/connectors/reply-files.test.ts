import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { deliver as deliverMail } from '../../connectors/email/deliver.ts';
import { render as renderMail } from '../../connectors/email/render.ts';
import { intercom } from '../../connectors/intercom/intercom.ts';
import { telegram } from '../../connectors/telegram/telegram.ts';
import { render as renderSms } from '../../connectors/twilio/sms/render.ts';
import { render as renderWhatsapp } from '../../connectors/twilio/whatsapp/render.ts';
import { type ReplyFile, withFileLinks } from '../../core/contract/outbound.ts';
import { plainReply } from '../helpers/models/plain-reply.ts';
import { connectorTools } from '../helpers/platforms/connector-tools.ts';
import { emailAccount } from '../helpers/platforms/email/account.ts';
import { startSmtp } from '../helpers/platforms/email/start-smtp.ts';
import { intercomAccount } from '../helpers/platforms/intercom/account.ts';
import { openIntercomStandIn } from '../helpers/platforms/intercom/stand-in.ts';
import { telegramAccount } from '../helpers/platforms/telegram/account.ts';
import { openTelegramStandIn } from '../helpers/platforms/telegram/stand-in.ts';

const megabyte = 2 ** 20;
const link = (name: string) => `https://help.example/files/${'t'.repeat(43)}/${encodeURIComponent(name)}`;
const file = (name: string, contentType: string, byteCount = 1_000): ReplyFile => ({
  ...{ name, contentType, byteCount },
  url: link(name),
});
const picture = file('Plan.png', 'image/png');
const manual = file('Manual.pdf', 'application/pdf');
const page = file('page.html', 'application/octet-stream');
const agent = (files: readonly ReplyFile[], text = '') => plainReply({ author: 'agent', text, files });

describe('a channel that shows no files', () => {
  test('gets a line with name and link for each', () => {
    const { text, files } = withFileLinks(agent([picture, manual], 'Here **they** are.\n'));
    expect(files).toBeUndefined();
    expect(renderSms(plainReply({ author: 'agent', text }))).toEqual([
      { content: { body: `Here they are.\n\nPlan.png: ${picture.url}\nManual.pdf: ${manual.url}` } },
    ]);
    const alone = withFileLinks(agent([manual])).text;
    expect(renderSms(plainReply({ author: 'agent', text: alone }))).toEqual([
      { content: { body: `Manual.pdf: ${manual.url}` } },
    ]);
  });

  test.each(['**a** [x](https://evil.example).txt', '<b>`c`_d_.txt', '# e | f.txt', 'g:\\*.txt'])(
    'shows the name %j as it is',
    (name) => {
      const { text } = withFileLinks(agent([file(name, 'text/plain')]));
      expect(renderSms(plainReply({ author: 'agent', text }))[0]?.content).toEqual({
        body: `${name}: ${link(name)}`.replaceAll('`', "'"),
      });
    },
  );
});

test('WhatsApp gets a message for each picture and PDF of a size that it takes, and links to the others', () => {
  const large = file('Large.png', 'image/png', 6 * megabyte);
  expect(renderWhatsapp(agent([picture, page, large, manual], 'See:')).map(({ content }) => content)).toEqual(
    [
      { body: `See:\n\npage.html: ${page.url}\nLarge.png: ${large.url}` },
      { body: 'Plan.png', mediaUrl: picture.url },
      { body: 'Manual.pdf', mediaUrl: manual.url },
    ],
  );
  expect(renderWhatsapp(agent([picture]))).toEqual([
    { content: { body: 'Plan.png', mediaUrl: picture.url } },
  ]);
});

describe('a mail', async () => {
  const { port, taken, close } = await startSmtp();
  afterAll(close);
  const account = emailAccount({ smtp: { port } });
  const quote = null;
  const address = { to: 'anna@lind.example', name: 'Anna', subject: 'Pots', references: [], quote };
  const to = { lane: '0123456789abcdef0123', address };
  const tools = connectorTools({
    readFile: async (url) => (url === page.url ? null : { body: Buffer.from(`bytes of ${url}`) }),
  });
  const send = async (files: readonly ReplyFile[], text = '') => {
    for (const part of renderMail(agent(files, text), to, account))
      await deliverMail(part, to, account, tools);
    return PostalMime.parse(taken.at(-1)?.raw ?? '');
  };

  test('carries the files themselves up to 10 MB, links to the rest, and leaves deleted ones out', async () => {
    const large = file('Film.bin', 'application/octet-stream', 10 * megabyte);
    const mail = await send([picture, large, file('Größe "10".pdf', 'application/pdf'), page], 'Here.');
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['Plan.png', 'image/png'],
      ['Größe "10".pdf', 'application/pdf'],
    ]);
    const [{ content } = { content: '' }] = mail.attachments;
    const bytes = typeof content === 'string' ? content : new TextDecoder().decode(content);
    expect(bytes).toBe(`bytes of ${picture.url}`);
    expect(mail.text).toContain(`Here.\n\nFilm.bin: ${large.url}`);
    expect(mail.html).toContain(`href="${large.url}"`);
    expect(mail.text).not.toContain(picture.url);
  });

  test('without a text names its files', async () => {
    expect((await send([picture, manual])).text?.trim()).toBe('Plan.png\nManual.pdf');
  });
});

describe('Telegram', async () => {
  const peer = await openTelegramStandIn();
  const account = telegramAccount({ settings: { enabled: true, api_base_url: peer.url } });
  const to = { lane: '501', address: { chat: 501, kind: 'private', topic: null } };
  peer.chats.add(501);
  const send = async (files: readonly ReplyFile[], text = '') => {
    peer.sent.splice(0);
    for (const part of telegram.open(account).render(agent(files, text), to))
      await telegram.open(account).deliver(part, to, connectorTools());
    return peer.sent.map((message) => message.params);
  };

  test('fetches pictures and PDFs by their links, and gets links to the others', async () => {
    expect(await send([picture, page, manual], 'See:')).toMatchObject([
      { text: expect.stringContaining(`href="${page.url}"`) },
      { photo: picture.url, caption: 'Plan.png' },
      { document: manual.url, caption: 'Manual.pdf' },
    ]);
    expect(await send([picture])).toHaveLength(1);
  });

  test('that cannot fetch a file gets its link', async () => {
    peer.trouble('sendPhoto', { kind: 'cannot-parse' });
    expect(await send([picture])).toMatchObject([{ text: `<a href="${picture.url}">Plan.png</a>` }]);
  });
});

test('Intercom gets pictures by their links, as attachments of the first comment', async () => {
  const peer = await openIntercomStandIn();
  const { settings } = intercomAccount();
  const account = intercomAccount({ settings: { ...settings, api_base_url: peer.url } });
  const conversation = await peer.begin('<p>Hello</p>');
  const to = { lane: conversation, address: { conversation } };
  peer.calls.splice(0);
  for (const part of intercom.open(account).render(agent([picture, manual]), to))
    await intercom.open(account).deliver(part, to, connectorTools({ now: () => new Date() }));
  expect(peer.calls.map(({ body }) => body)).toMatchObject([
    { attachment_urls: [picture.url], body: expect.stringContaining('Manual.pdf') },
  ]);
});
