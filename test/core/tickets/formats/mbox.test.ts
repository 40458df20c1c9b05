import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseArchivedMail } from '../../../../core/tickets/formats/mail-thread.ts';
import { type ReadMails, readMbox, splitMbox } from '../../../../core/tickets/formats/mbox.ts';
import type { TicketReading } from '../../../../core/tickets/formats/ticket.ts';

const readMails: ReadMails = (sources) => Promise.all(sources.map(parseArchivedMail));

async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(text: string): Promise<readonly TicketReading[]> {
  const readings: TicketReading[] = [];
  for await (const reading of readMbox(pieces(text, 1_000), readMails)) readings.push(reading);
  return readings;
}

interface Written {
  readonly id: string;
  readonly from: string;
  readonly answers?: string;
  readonly subject?: string;
  readonly more?: string;
}

const write = ({ id, from, answers, subject = 'A question', more = '' }: Written, text: string) =>
  [
    'From - Mon Mar  2 10:00:00 2026',
    `Message-ID: <${id}>`,
    `From: ${from}`,
    `Date: Mon, 2 Mar 2026 1${id.length % 10}:00:00 +0000`,
    `Subject: ${subject}`,
    ...(answers === undefined ? [] : [`In-Reply-To: <${answers}>`]),
    ...(more === '' ? [] : [more]),
    '',
    text,
    '',
    '',
  ].join('\n');

const reply = 'You can return a box within 30 days.';

describe('a mailbox', () => {
  test.each([1, 7, 64, 10_000])('is split into its mails in pieces of %i characters', async (size) => {
    const text =
      'From a@b Mon\nSubject: x\n\nbody\n>From here\nFrom there\n\nFrom c@d Tue\nSubject: y\n\nend\n';
    const mails: string[] = [];
    for await (const mail of splitMbox(pieces(text, size))) mails.push(mail.trimEnd());
    expect(mails).toEqual(['Subject: x\n\nbody\nFrom here\nFrom there', 'Subject: y\n\nend']);
  });

  test('tells the team by who replies to several people, and takes their first reply', async () => {
    const readings = await read(
      [
        write({ id: 'a', from: 'Greta <greta@mail.example>' }, 'May I return a box?\n-- \nGreta'),
        write(
          { id: 'aaa', from: 'Ben <ben@shop.example>', answers: 'a' },
          `${reply}\n\nOn Mon, 2 Mar 2026 Greta wrote:\n> May I return a box?`,
        ),
        write({ id: 'b', from: 'Otto <otto@mail.example>' }, 'When do you open on Sunday?'),
        write(
          { id: 'bbb', from: 'Ann <ann@shop.example>', answers: 'b' },
          'On Sunday the shop stays closed.',
        ),
        write({ id: 'c', from: 'Uli <uli@mail.example>' }, 'Do you sell ladders, and which?'),
        write({ id: 'ccc', from: 'Ben <ben@shop.example>', answers: 'c' }, 'We sell wooden ladders only.'),
        write({ id: 'd', from: 'Ben <ben@shop.example>' }, 'Would you tell us how the box was?'),
        write(
          { id: 'ddd', from: 'Uli <uli@mail.example>', answers: 'd' },
          'It was a very good box, thank you.',
        ),
      ].join(''),
    );
    expect(readings.map((one) => ('ticket' in one ? one.ticket.reply : one.omission))).toEqual([
      reply,
      'On Sunday the shop stays closed.',
      'We sell wooden ladders only.',
      'outbound',
    ]);
    expect(readings[0]).toMatchObject({
      ticket: { externalId: 'a', question: 'A question\n\nMay I return a box?' },
    });
  });

  test('a mail of a machine begins no ticket, and its reply is none', async () => {
    const readings = await read(
      [
        write({ id: 'a', from: 'Robot <no-reply@mail.example>' }, 'Your invoice is ready to be read.'),
        write({ id: 'b', from: 'Otto <otto@mail.example>' }, 'When do you open on Sunday?'),
        write(
          { id: 'bbb', from: 'Ben <ben@shop.example>', answers: 'b', more: 'Auto-Submitted: auto-replied' },
          'I am away until next Monday and reply then.',
        ),
      ].join(''),
    );
    expect(readings.map((one) => ('ticket' in one ? one.ticket.reply : one.omission))).toEqual([
      'automatic',
      'no_reply',
    ]);
  });

  test.skipIf(process.env.PEERS_DIR === undefined)('of awkward mails of others never fails', async () => {
    const folder = join(process.env.PEERS_DIR ?? '', 'payloads/email');
    const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    const archive = mails.map((name) => `From x\n${readFileSync(join(folder, name), 'latin1')}\n\n`).join('');
    const readings = await read(archive);
    expect(mails.length).toBeGreaterThan(20);
    expect(readings.length).toBeGreaterThan(10);
  });
});
