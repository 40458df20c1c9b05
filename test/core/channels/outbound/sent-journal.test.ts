import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SentPart } from '../../../../core/channels/outbound/outbox.ts';
import { noJournal, openSentJournal } from '../../../../core/channels/outbound/sent-journal.ts';
import { openTestRuntime } from '../../../helpers/servers/open-test-runtime.ts';
import { emptyTestFolder } from '../../../helpers/stores/databases/test-data-folder.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const sent: SentPart = {
  channelId: 'chan_1',
  lane: 'telegram:7',
  token: 'the-token',
  number: '42',
  attempts: 1,
  platformMessageId: '1001',
  sentAt: new Date('2026-11-22T10:00:00Z'),
};
const never = () => new Promise<void>(() => {});

interface Opened {
  readonly folder?: string;
  readonly processId?: string;
  readonly living?: readonly string[];
}

async function open({ folder = emptyTestFolder(), processId = 'host-2', living = [] }: Opened = {}) {
  const settled: SentPart[] = [];
  const warned: unknown[] = [];
  const journal = await openSentJournal({
    folder,
    processId,
    lives: async (id) => living.includes(id),
    settle: async (one) => void settled.push(one),
    warn: (error) => void warned.push(error),
  });
  return { journal, settled, warned, folder };
}

test('a part sent before a crash is recorded once at the next start', async () => {
  const { journal, folder } = await open({ processId: 'host-1' });
  await journal.keep(sent, never).safe;
  await journal.keep({ ...sent, number: '43', lane: 'another lane' }, never).safe;
  expect((await open({ folder })).settled).toEqual([sent, { ...sent, number: '43', lane: 'another lane' }]);
  expect((await open({ folder })).settled).toEqual([]);
});

test('a recorded part is removed from the journal, and the result is returned', async () => {
  const { journal, folder } = await open({ processId: 'host-1' });
  const seen = await journal.keep(sent, async () => (await open({ folder, living: ['host-1'] })).settled)
    .recorded;
  expect(seen).toEqual([sent]);
  expect((await open({ folder })).settled).toEqual([]);
});

test('the file of a live process is kept when another process starts', async () => {
  const { journal, folder } = await open({ processId: 'host-1' });
  await journal.keep(sent, never).safe;
  const during = await open({ folder, living: ['host-1'] });
  await journal.keep({ ...sent, number: '43' }, never).safe;
  const after = await open({ folder });
  expect([during.settled, after.settled]).toEqual([[sent], [sent, { ...sent, number: '43' }]]);
});

test('the slot of a recorded part is reused', async () => {
  const { journal, folder } = await open({ processId: 'host-1' });
  await journal.keep(sent, async () => {}).recorded;
  const other = { ...sent, number: '43', platformMessageId: 'ü'.repeat(200) };
  await journal.keep(other, never).safe;
  await journal.keep({ ...sent, number: '44' }, async () => {}).recorded;
  expect((await open({ folder })).settled).toEqual([other]);
});

test('a process that stops leaves a file only if parts are unrecorded', async () => {
  const quiet = await open();
  await quiet.journal.keep(sent, async () => {}).recorded;
  quiet.journal.close();
  expect(readdirSync(quiet.folder)).toEqual([]);
  const busy = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { recorded } = busy.journal.keep(sent, () => promise);
  busy.journal.close();
  resolve();
  await recorded;
  expect((await open({ folder: busy.folder })).settled).toEqual([sent]);
});

test('a part that could not be recorded stays in the journal', async () => {
  const { journal, folder } = await open({ processId: 'host-1' });
  const { recorded } = journal.keep(sent, () => Promise.reject(new RangeError('no')));
  await expect(recorded).rejects.toThrow(RangeError);
  expect((await open({ folder })).settled).toEqual([sent]);
});

test('a truncated file is read as far as it is complete', async () => {
  const folder = emptyTestFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'host-1'), `${JSON.stringify(sent)}   \n{"channelId":"chan_`);
  writeFileSync(join(folder, 'host-3'), '');
  expect((await open({ folder })).settled).toEqual([sent]);
  expect(readdirSync(folder)).toEqual([]);
});

test('an unusable folder disables the journal with a warning', async () => {
  const file = join(emptyTestFolder(), 'file');
  writeFileSync(file, '');
  const { journal, warned } = await open({ folder: join(file, 'sent') });
  expect([journal === noJournal, warned]).toEqual([true, [expect.objectContaining({ code: 'ENOTDIR' })]]);
});

test('a hundred records fit before the file grows, as it cannot on a full disk', async () => {
  const { journal, folder } = await open({ processId: 'host-1' });
  await journal.keep(sent, never).safe;
  const sizeOf = () => statSync(join(folder, 'host-1')).size;
  const made = sizeOf();
  for (let number = 1; number < 100; number += 1) {
    await journal.keep({ ...sent, number: `${number}` }, never).safe;
  }
  expect(sizeOf()).toBe(made);
  await journal.keep({ ...sent, number: '100' }, never).safe;
  expect((await open({ folder })).settled).toHaveLength(101);
});

async function orderOf(keeping: (note: () => Promise<void>) => { readonly safe: Promise<unknown> }) {
  const order: string[] = [];
  const { safe } = keeping(async () => void order.push('noted'));
  await safe.then(() => order.push('safe'));
  return order;
}

test('without a journal a part is only safe once it is recorded', async () => {
  expect(await orderOf((note) => noJournal.keep(sent, note))).toEqual(['noted', 'safe']);
});

test('a record that cannot be written, on a full disk or for its length, is only safe once it is recorded', async () => {
  const { journal, folder } = await open();
  const long = { ...sent, platformMessageId: 'x'.repeat(5_000) };
  expect(await orderOf((note) => journal.keep(long, note))).toEqual(['noted', 'safe']);
  symlinkSync('/dev/full', join(folder, 'host-2'));
  expect(await orderOf((note) => journal.keep(sent, note))).toEqual(['noted', 'safe']);
});

test('a failed write is reported', async () => {
  const { journal, folder, warned } = await open();
  symlinkSync('/dev/full', join(folder, 'host-2'));
  await journal.keep(sent, async () => {}).recorded;
  expect(warned).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
});

test.runIf(testEngines.includes('postgres'))('each database has its own journal in the folder', async () => {
  const DATA_DIR = emptyTestFolder();
  const environments = [await createDatabase(), await createDatabase()].map((url) => ({
    DATA_DIR,
    DATABASE_URL: url,
  }));
  for (const environment of environments) {
    const runtime = await openTestRuntime({ environment });
    await runtime.sentJournal.keep(sent, never).safe;
  }
  const files = readdirSync(DATA_DIR).filter((name) => name.startsWith('sent-'));
  expect(files.map((name) => readdirSync(join(DATA_DIR, name)).length)).toEqual([1, 1]);
});
