import { describe, expect, test } from 'vitest';
import { parseMail } from '../../../connectors/email/parsing/parse-mail.ts';
import { verifiedSender } from '../../../connectors/email/parsing/sender.ts';
import { htmlToText } from '../../../core/contract/mail/html-to-text.ts';
import { stripQuotes } from '../../../core/contract/mail/strip-quotes.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

const SIZE = 200_000;
const LINES = 5_000;
/** The processor time of shorter runs is measured too coarsely to compare with. */
const LEAST_MS = 2;
const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
const lines = (line: string) => Array(LINES).fill(line).join('\n');

/** Takes the fastest of a few runs, because the machine may be busy. */
async function fastestRun(work: () => unknown): Promise<number> {
  const measured = [await processorMs(work), await processorMs(work), await processorMs(work)];
  return Math.min(...measured);
}

describe('stripping quotations', () => {
  const read = (text: string) => stripQuotes(text, { isReply: true, isForward: false });
  const ordinary = lines('This is a line that somebody wrote.');

  test.each([
    ['spaces behind a mark', `forwarded message${' '.repeat(SIZE)}x`],
    ['attributions', lines('On Mon, Sep 21, 2026 at 2:00 PM a@b.example wrote:')],
    ['answers between quotations', lines('On Mon 21.9.2026 a@b.example wrote:\n> x').slice(0, SIZE)],
    ['dashes', `${'-'.repeat(SIZE)}x`],
    ['signatures', lines('-- ')],
    ['heads', lines('From: x\nSent: y')],
    ['spaces', `${fill(' ')}x`],
    ['addresses', lines('a@b@c@'.repeat(6))],
  ])('takes no longer for %s than for an ordinary text', async (_name, hostile) => {
    const usual = await fastestRun(() => read(ordinary));
    expect(await fastestRun(() => read(hostile))).toBeLessThan(25 * Math.max(usual, LEAST_MS));
  });
});

describe('converting HTML to text', () => {
  const ordinary = fill('<p>This is a <b>line</b> that <a href="https://a.example">somebody</a> wrote.</p>');

  test.each(['<a>', '<b>', '<table><tr><td>', '<ul><li>', '<blockquote>', '<', '<!--', '<a ', '<pre>'])(
    'takes no longer for endless %s than for ordinary HTML',
    async (piece) => {
      const usual = await fastestRun(() => htmlToText(ordinary));
      expect(await fastestRun(() => htmlToText(fill(piece)))).toBeLessThan(10 * Math.max(usual, LEAST_MS));
    },
  );

  test('reads a long ordinary text to its end', () => {
    const paragraphs = '<p>This is a line that <b>somebody</b> wrote at length.</p>'.repeat(1_500);
    expect(htmlToText(`${paragraphs}<p>The end.</p>`)).toMatch(/The end\.$/);
  });
});

test('nested comments in authentication results take no longer than others', async () => {
  const account = emailAccount({ settings: { authserv_id: 'mx.shop.example' } });
  const mailWith = async (results: string) => {
    const header = `Authentication-Results: mx.shop.example; ${results}\r\n`;
    const source = Buffer.from(`From: a@b.example\r\n${header.repeat(100)}\r\nx`);
    const place = { uid: 1, uidValidity: '1', receivedAt: '2026-09-21T12:00:00.000Z', isCut: false };
    return parseMail({ ...place, bytes: source.length, source });
  };
  const ordinary = await mailWith('x=y; '.repeat(1_500));
  const hostile = await mailWith('('.repeat(3_700) + ')'.repeat(3_700));
  const usual = await fastestRun(() => verifiedSender(ordinary, account));
  expect(await fastestRun(() => verifiedSender(hostile, account))).toBeLessThan(
    10 * Math.max(usual, LEAST_MS),
  );
});

test('nested comments prove nothing', async () => {
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
