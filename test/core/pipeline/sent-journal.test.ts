import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noJournal, openSentJournal } from '../../../core/pipeline/sent-journal.ts';
import type { Sent } from '../../../core/pipeline/settle-part.ts';
import { emptyTestFolder } from '../../helpers/test-data-folder.ts';

const sent: Sent = {
  channelId: 'chan_1',
  lane: 'telegram:7',
  token: 'the-token',
  number: '42',
  attempts: 1,
  platformMessageId: '1001',
  sentAt: new Date('2026-11-22T10:00:00Z'),
};
const never = () => new Promise<void>(() => {});

async function open(folder: string) {
  const settled: Sent[] = [];
  const journal = await openSentJournal(folder, async (one) => void settled.push(one));
  return { journal, settled };
}

test('what was sent when the process died is noted at the next start, once', async () => {
  const folder = join(emptyTestFolder(), 'sent');
  const { journal } = await open(folder);
  await journal.keep(sent, never).safe;
  await journal.keep({ ...sent, number: '43', answering: 'another-token' }, never).safe;
  expect((await open(folder)).settled).toEqual([sent, { ...sent, number: '43', answering: 'another-token' }]);
  expect((await open(folder)).settled).toEqual([]);
});

test('what was noted is forgotten, and what its noting came to is told', async () => {
  const folder = join(emptyTestFolder(), 'sent');
  const { journal } = await open(folder);
  expect(await journal.keep(sent, async () => readdirSync(folder)).noted).toEqual(['42']);
  expect(readdirSync(folder)).toEqual([]);
});

test('what could not be noted is kept in mind', async () => {
  const folder = join(emptyTestFolder(), 'sent');
  const { journal } = await open(folder);
  await expect(journal.keep(sent, () => Promise.reject(new RangeError('no'))).noted).rejects.toThrow(
    RangeError,
  );
  expect((await open(folder)).settled).toEqual([sent]);
});

test('without a journal nothing is safe before it is noted', async () => {
  const order: string[] = [];
  const { safe, noted } = noJournal.keep(sent, async () => void order.push('noted'));
  await safe.then(() => order.push('safe'));
  await noted;
  expect(order).toEqual(['noted', 'safe']);
});

test('a file that was cut short by the death is passed over', async () => {
  const folder = join(emptyTestFolder(), 'sent');
  mkdirSync(folder);
  writeFileSync(join(folder, '42'), '{"channelId":"chan_');
  writeFileSync(join(folder, '43'), '');
  expect((await open(folder)).settled).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
