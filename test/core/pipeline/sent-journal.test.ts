import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noJournal, openSentJournal, trySentJournal } from '../../../core/pipeline/sent-journal.ts';
import type { Sent } from '../../../core/pipeline/settle-part.ts';
import { openTestRuntime } from '../../helpers/open-test-runtime.ts';
import { emptyTestFolder } from '../../helpers/test-data-folder.ts';
import { createDatabase, testEngines } from '../../helpers/test-databases.ts';

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

test('where the folder cannot be used there is no journal, and that is told', async () => {
  const file = join(emptyTestFolder(), 'file');
  writeFileSync(file, '');
  const warned: unknown[] = [];
  const journal = await trySentJournal(join(file, 'sent'), never, (error) => void warned.push(error));
  expect([journal === noJournal, warned]).toEqual([true, [expect.objectContaining({ code: 'ENOTDIR' })]]);
});

test('what cannot be written down is safe when it is noted', async () => {
  const folder = join(emptyTestFolder(), 'sent');
  const { journal } = await open(folder);
  rmSync(folder, { recursive: true });
  const order: string[] = [];
  const { safe } = journal.keep(sent, async () => void order.push('noted'));
  await safe.then(() => order.push('safe'));
  expect(order).toEqual(['noted', 'safe']);
});

test.runIf(testEngines.includes('postgres'))(
  'each database has a journal of its own in the folder',
  async () => {
    const DATA_DIR = emptyTestFolder();
    const [DATABASE_URL, other] = [await createDatabase(), await createDatabase()];
    const journaled = () =>
      readdirSync(DATA_DIR, { recursive: true }).filter((name) => String(name).endsWith('/42')).length;
    const killed = await openTestRuntime({ environment: { DATA_DIR, DATABASE_URL } });
    await killed.sentJournal.keep(sent, never).safe;
    await openTestRuntime({ environment: { DATA_DIR, DATABASE_URL: other } });
    expect(journaled()).toBe(1);
    await openTestRuntime({ environment: { DATA_DIR, DATABASE_URL } });
    expect(journaled()).toBe(0);
  },
);
