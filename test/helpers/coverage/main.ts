import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFalls, floorsFileSchema, measureAreas, raiseFloors, summarySchema } from './compare-floors.ts';

const usage = `Usage: npm run coverage [-- --raise]

Runs the tests of floors.json and prints how much of each area they run. Fails if an area is below its floor. With --raise,
floors that are exceeded are written anew.
`;

const root = resolve(import.meta.dirname, '../../..');
const floorsFile = join(import.meta.dirname, 'floors.json');
const options = process.argv.slice(2);
if (options.some((option) => option !== '--raise')) {
  process.stderr.write(usage);
  process.exit(2);
}
const { tests, floors } = floorsFileSchema.parse(JSON.parse(readFileSync(floorsFile, 'utf8')));
const areas = Object.keys(floors);
const folder = mkdtempSync(join(tmpdir(), 'parley-coverage-'));
const vitest = [
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--reporter=dot',
  '--silent=passed-only',
  '--coverage.enabled',
  '--coverage.reportOnFailure',
  '--coverage.reporter=json-summary',
  `--coverage.reportsDirectory=${folder}`,
  // Browsers run this code, not the process of the tests.
  '--coverage.exclude=**/browser/**',
  ...areas.map((area) => `--coverage.include=${area}/**/*.ts`),
];
const { status } = spawnSync(process.execPath, [...vitest, ...tests], {
  cwd: root,
  stdio: 'inherit',
  // V8 counts few calls of functions that come from a compile cache.
  env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
});
// A failing test covers less, so no floor becomes too high.
const report: unknown = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'));
rmSync(folder, { recursive: true });
const measured = measureAreas(summarySchema.parse(report), { root, areas });
process.stdout.write(`\n${'area'.padEnd(28)}   lines  branches   (floors)\n`);
for (const [area, { lines, branches }] of Object.entries(measured)) {
  const floor = floors[area];
  process.stdout.write(
    `${area.padEnd(28)} ${lines.toFixed(1).padStart(5)} % ${branches.toFixed(1).padStart(6)} %   (${floor?.lines}, ${floor?.branches})\n`,
  );
}
const falls = findFalls(measured, floors);
for (const fall of falls) process.stderr.write(`${fall}\n`);
if (options.includes('--raise'))
  writeFileSync(floorsFile, `${JSON.stringify({ tests, floors: raiseFloors(measured, floors) }, null, 2)}\n`);
process.exitCode = status === 0 && falls.length === 0 ? 0 : 1;
