import { describe, expect, test } from 'vitest';
import { htmlToText } from '../../../connectors/email/parsing/message-text.ts';
import { parseMail } from '../../../connectors/email/parsing/parse-mail.ts';
import { verifiedSender } from '../../../connectors/email/parsing/sender.ts';
import { stripQuotes } from '../../../connectors/email/parsing/strip-quotes.ts';
import { emailAccount } from '../../helpers/platforms/email-account.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

const SIZE = 200_000;
const LINES = 5_000;
const filled = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
const lines = (line: string) => Array(LINES).fill(line).join('\n');

/** A machine is at times busy with something else: the least of a few measurements counts. */
async function least(work: () => unknown): Promise<number> {
  const measured = [await processorMs(work), await processorMs(work), await processorMs(work)];
  return Math.min(...measured);
}

describe('what is new in a text', () => {
  const read = (text: string) => stripQuotes(text, { isReply: true, isForward: false });
  const ordinary = lines('This is a line that somebody wrote.');

  test.each([
    ['spaces behind a mark', `forwarded message${' '.repeat(SIZE)}x`],
    ['attributions', lines('On Mon, Sep 21, 2026 at 2:00 PM a@b.example wrote:')],
    ['answers between quotations', lines('On Mon 21.9.2026 a@b.example wrote:\n> x').slice(0, SIZE)],
    ['dashes', `${'-'.repeat(SIZE)}x`],
    ['signatures', lines('-- ')],
    ['heads', lines('From: x\nSent: y')],
    ['spaces', `${filled(' ')}x`],
    ['addresses', lines('a@b@c@'.repeat(6))],
  ])('is found in %s at the cost of an ordinary one', async (_name, hostile) => {
    const usual = await least(() => read(ordinary));
    expect(await least(() => read(hostile))).toBeLessThan(25 * usual);
  });
});

describe('the text of HTML', () => {
  const ordinary = filled(
    '<p>This is a <b>line</b> that <a href="https://a.example">somebody</a> wrote.</p>',
  );

  test.each(['<a>', '<b>', '<table><tr><td>', '<ul><li>', '<blockquote>', '<', '<!--', '<a ', '<pre>'])(
    'of %s without end is read at the cost of an ordinary one',
    async (piece) => {
      const usual = await least(() => htmlToText(ordinary));
      expect(await least(() => htmlToText(filled(piece)))).toBeLessThan(10 * usual);
    },
  );

  test('that is long and ordinary is read to its end', () => {
    const paragraphs = '<p>This is a line that <b>somebody</b> wrote at length.</p>'.repeat(1_500);
    expect(htmlToText(`${paragraphs}<p>The end.</p>`)).toMatch(/The end\.$/);
  });
});

test('results of a mail host in nested comments cost no more than others', async () => {
  const account = emailAccount({ settings: { authserv_id: 'mx.shop.example' } });
  const mailWith = async (results: string) => {
    const header = `Authentication-Results: mx.shop.example; ${results}\r\n`;
    const source = Buffer.from(`From: a@b.example\r\n${header.repeat(100)}\r\nx`);
    const place = { uid: 1, uidValidity: '1', receivedAt: '2026-09-21T12:00:00.000Z', isCut: false };
    return parseMail({ ...place, bytes: source.length, source });
  };
  const ordinary = await mailWith('x=y; '.repeat(1_500));
  const hostile = await mailWith('('.repeat(3_700) + ')'.repeat(3_700));
  const usual = await least(() => verifiedSender(ordinary, account));
  expect(await least(() => verifiedSender(hostile, account))).toBeLessThan(10 * usual);
});

test('comments prove nothing, however they are nested', async () => {
  const account = emailAccount({ settings: { authserv_id: 'mx.shop.example' } });
  const senderBy = async (results: string) => {
    const source = Buffer.from(
      `From: a@b.example\r\nAuthentication-Results: mx.shop.example; ${results}\r\n\r\nx`,
    );
    const place = { uid: 1, uidValidity: '1', receivedAt: '2026-09-21T12:00:00.000Z', isCut: false };
    return verifiedSender(await parseMail({ ...place, bytes: source.length, source }), account);
  };
  expect(await senderBy('dmarc=pass (p=none (sp=none)) header.from=b.example')).toBe('a@b.example');
  expect(await senderBy('dmarc=fail (; dmarc=pass header.from=b.example)')).toBeNull();
  expect(await senderBy('dmarc=fail ((x); dmarc=pass header.from=b.example')).toBeNull();
});
