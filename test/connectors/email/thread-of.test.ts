import { describe, expect, test } from 'vitest';
import { normalise } from '../../../connectors/email/normalise.ts';
import { parsePart, render } from '../../../connectors/email/render.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { mailOf, mailReader } from '../../helpers/platforms/email/read-mail.ts';

const account = emailAccount({ settings: { authserv_id: 'mx.shop.example', colleagues: ['@shop.example'] } });
let last = 0;

/** A mailbox in which Anna asked a question and got an answer. */
async function asked() {
  const reader = mailReader(account);
  const write = (headers: Readonly<Record<string, string>>, body = 'And on Saturday?') => {
    last += 1;
    const usual = {
      From: 'Anna Lind <anna@lind.example>',
      To: 'help@shop.example',
      Subject: 'Re: Opening hours',
      'Message-ID': `<m${last}@lind.example>`,
      Date: `Mon, 21 Sep 2026 12:00:${String(last % 60).padStart(2, '0')} +0000`,
    };
    const lines = Object.entries({ ...usual, ...headers }).map(([name, value]) => `${name}: ${value}`);
    return reader.read(`${lines.join('\n')}\n\n${body}`);
  };
  const first = await write({
    Subject: 'Opening hours',
    'Message-ID': `<first${last}@lind.example>`,
    Cc: 'Bo <bo@lind.example>',
  });
  const mail = mailOf(first);
  const [event] = normalise(first?.native ?? null, account);
  if (event?.type !== 'message') throw new TypeError('no question');
  const [part] = render(plainReply({ text: 'On weekdays.' }), event.conversation, account);
  if (part === undefined) throw new TypeError('no answer');
  return { reader, write, lane: mail.lane, firstId: mail.messageId ?? '', answer: parsePart(part) };
}

describe('the thread of a mail', () => {
  test('is identified by the address that the mail was sent to, whoever wrote it', async () => {
    const { write, lane, answer } = await asked();
    const came = await write({ From: 'eva@berg.example', To: answer.replyTo ?? '', Subject: 'x' });
    expect(mailOf(came)).toMatchObject({ lane, joinedBy: 'token', begins: false });
    const shouted = await write({ From: 'eva@berg.example', To: answer.replyTo?.toUpperCase() ?? '' });
    expect(mailOf(shouted).lane).toBe(lane);
    const delivered = await write({ To: 'undisclosed', 'Delivered-To': answer.replyTo ?? '' });
    expect(mailOf(delivered).lane).toBe(lane);
  });

  test('is not identified by a forged address', async () => {
    const { write, lane, answer } = await asked();
    const made = (answer.replyTo ?? '').replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    expect(mailOf(await write({ From: 'eva@berg.example', To: made })).lane).not.toBe(lane);
    const elsewhere = (answer.replyTo ?? '').replace('@shop', '@other');
    expect(mailOf(await write({ From: 'eva@berg.example', To: elsewhere })).lane).not.toBe(lane);
  });

  test('is that of the original of a reply, whatever its subject', async () => {
    const { write, lane, answer, firstId } = await asked();
    const reply = await write({ 'In-Reply-To': `<${answer.messageId}>`, Subject: 'Lemons' });
    expect(mailOf(reply)).toMatchObject({ lane, joinedBy: 'participant' });
    const another = await write({ 'In-Reply-To': `<${firstId}>`, Subject: 'Lemons' });
    expect(mailOf(another).lane).toBe(lane);
    const third = await write({ 'In-Reply-To': `<${mailOf(another).messageId}>` });
    expect(mailOf(third).lane).toBe(lane);
  });

  test('is that of its references if they have the same subject', async () => {
    const { write, lane, firstId } = await asked();
    const References = `<unknown@lind.example> <${firstId}>`;
    for (const Subject of ['Re: Opening hours', 'AW: SV: opening  hours', 'Antw: Opening hours'])
      expect(mailOf(await write({ References, Subject })).lane).toBe(lane);
    expect(mailOf(await write({ References, Subject: 'Lemons' }))).toMatchObject({ begins: true });
  });

  test('admits participants, and no sender who only knows a Message-ID', async () => {
    const { write, lane, answer } = await asked();
    const reply = { 'In-Reply-To': `<${answer.messageId}>` };
    expect(mailOf(await write({ ...reply, From: 'Bo <BO@lind.example>' })).lane).toBe(lane);
    const stranger = await write({ ...reply, From: 'eva@berg.example' });
    expect(mailOf(stranger)).toMatchObject({ begins: true, joinedBy: null });
    expect(mailOf(stranger).lane).not.toBe(lane);
  });

  test("gets a note about a stranger's mail that refers to it, and none about a participant's", async () => {
    const { write, reader, lane, answer, firstId } = await asked();
    const related = () => reader.last.slice(1).flatMap(({ native }) => normalise(native, account));
    const stranger = await write({ From: 'eva@berg.example', 'In-Reply-To': `<${answer.messageId}>` });
    expect(related()).toEqual([{ type: 'related', lane }]);
    expect(reader.last.map((delivery) => delivery.lane)).toEqual(Array(2).fill(mailOf(stranger).lane));
    expect(new Set(reader.last.map(({ id }) => id)).size).toBe(2);
    await write({ From: 'eva@berg.example', References: `<${firstId}>` });
    expect(related()).toEqual([{ type: 'related', lane }]);
    await write({ 'In-Reply-To': `<${answer.messageId}>` });
    expect(related()).toEqual([]);
    await write({ From: 'eva@berg.example', References: `<${firstId}>`, Subject: 'Lemons' });
    expect(related()).toEqual([]);
  });

  test('admits a verified colleague as an agent who replies', async () => {
    const { write, lane, firstId } = await asked();
    const reply = { 'In-Reply-To': `<${firstId}>`, From: 'Kim <kim@shop.example>' };
    const proof = { 'Authentication-Results': 'mx.shop.example; dkim=pass header.d=shop.example' };
    const proven = await write({ ...reply, ...proof });
    expect(mailOf(proven)).toMatchObject({ lane, joinedBy: 'colleague' });
    expect(normalise(proven?.native ?? null, account)).toMatchObject([{ type: 'person-replied' }]);
    expect(mailOf(await write({ ...reply, From: 'mallory@shop.example' }))).toMatchObject({ begins: true });
  });

  test('is not taken over by a mail that reuses a Message-ID', async () => {
    const { write, lane, firstId } = await asked();
    const copied = await write({ From: 'eva@berg.example', 'Message-ID': `<${firstId}>`, Subject: 'Mine' });
    expect(mailOf(copied).lane).not.toBe(lane);
    expect(mailOf(await write({ 'In-Reply-To': `<${firstId}>` })).lane).toBe(lane);
  });

  test('is searched for once: a copy from another folder is not received again', async () => {
    const { reader } = await asked();
    const source =
      'From: a@lind.example\nMessage-ID: <same@lind.example>\nDate: Mon, 21 Sep 2026 12:00:00 +0000\n\nHello';
    const first = await reader.read(source);
    expect(await reader.read(`Received: by another\n${source}`)).toBeNull();
    expect(first?.id).toMatch(/^[0-9a-f]{40}$/);
    const nameless = 'From: a@lind.example\n\nWithout an id';
    expect(await reader.read(nameless)).not.toBeNull();
    expect(await reader.read(nameless)).toBeNull();
    expect(await reader.read(`${nameless}!`)).not.toBeNull();
  });
});
