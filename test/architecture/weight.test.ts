import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) }).parse(read('package.json'));
const lock = z
  .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().default(false) })) })
  .parse(read('package-lock.json'));

/** Binaries that a package brings for other platforms. The image removes them. */
const FOREIGN = new RegExp(`onnxruntime-node/bin/[^/]+/(?!${process.platform}/${process.arch}/)`, 'u');

/** Bytes of a package's own files, without the packages below it. */
function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') return sum;
    if (entry.isDirectory()) return sum + bytesIn(path);
    return sum + (FOREIGN.test(path) ? 0 : statSync(path).size);
  }, 0);
}

test('production needs few packages, and they are small', () => {
  const names = Object.keys(manifest.dependencies);
  const installed = Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev && existsSync(join(root, folder)))
    .map(([folder]) => ({ folder, bytes: bytesIn(join(root, folder)) }));
  const megabytes = installed.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const largest = installed
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 8)
    .map(({ folder, bytes }) => `${folder.replace('node_modules/', '')} ${Math.round(bytes / 1e6)}`);
  process.stdout.write(
    `${names.length} production dependencies, ${installed.length} packages, ${Math.round(megabytes)} MB on one platform. Largest: ${largest.join(', ')}\n`,
  );
  expect(names.length).toBeLessThanOrEqual(73);
  expect(megabytes).toBeLessThan(360);
  // Browsers' packages are built before a release. Operators who name a provider install its package.
  expect(names.filter((name) => /^(?:react|@mantine|@tanstack|esbuild|node)\b/u.test(name))).toEqual([]);
});
