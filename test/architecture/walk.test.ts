import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { nodeArguments } from '../helpers/node-arguments.ts';
import { testDataFolder } from '../helpers/stores/databases/test-data-folder.ts';

const folder = import.meta.dirname;

test('few files decide about one message and one question', () => {
  const script = [
    ...nodeArguments,
    '--import',
    resolve(folder, 'record-files.ts'),
    resolve(folder, 'walk.ts'),
    testDataFolder(),
  ];
  const printed = execFileSync(process.execPath, script, { encoding: 'utf8' });
  const counts = [...printed.matchAll(/: (\d+) spine files of \d+$/gm)].map(([, count]) => Number(count));
  expect(counts).toHaveLength(2);
  const [query = 0, message = 0] = counts;
  expect(query).toBeGreaterThan(20);
  expect(query).toBeLessThanOrEqual(55);
  expect(message).toBeGreaterThan(query);
  expect(message).toBeLessThanOrEqual(97);
});
