import { expect, test } from 'vitest';
import { loadRememberedValues } from '../../../core/channels/accounts/remembered-values.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const clock = { at: new Date('2026-09-21T12:00:00Z'), now: () => clock.at };
const { receiveRaw, channel, runtime } = await openTestPipeline({ clock });
const told = async (...keys: string[]) =>
  Object.fromEntries(await loadRememberedValues(runtime.database.kysely, channel.id, keys));
const delivery = (id: string, remember: readonly { key: string; value: number }[]) => ({
  id,
  lane: 'a',
  native: {},
  remember,
});

test('remembered values of deliveries are returned, the last one of each key', async () => {
  await receiveRaw([
    delivery('1', [
      { key: 'x', value: 1 },
      { key: 'y', value: 1 },
    ]),
    delivery('2', [{ key: 'x', value: 2 }]),
  ]);
  expect(await told('x', 'y', 'z')).toEqual({ x: 2, y: 1 });
  await receiveRaw([delivery('3', [{ key: 'y', value: 3 }])]);
  expect(await told('x', 'y')).toEqual({ x: 2, y: 3 });
});

test('unstorable characters are removed from remembered values', async () => {
  const broken = { ...delivery('4', [{ key: 'w', value: 4 }]), settleMs: 2 ** 40 };
  await expect(receiveRaw([broken])).rejects.toThrow();
  expect(await told('w')).toEqual({});
});

test('remembered values are deleted after more than a year', async () => {
  clock.at = new Date(clock.at.getTime() + 399 * 86_400_000);
  await receiveRaw([delivery('5', [{ key: 'y', value: 5 }])]);
  clock.at = new Date(clock.at.getTime() + 2 * 86_400_000);
  await runMaintenance(runtime, new AbortController().signal);
  expect(await told('x', 'y')).toEqual({ y: 5 });
});
