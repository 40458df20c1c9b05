// This script runs the tests that a change most likely breaks: `npm run test:changed`, or `npm run test:changed --
// BASE` for the changes since a commit. CI runs the whole suite.

import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readImportedFiles, sourceFiles } from '../code/source-files.ts';
import { chooseTests } from './choose-tests.ts';

const root = resolve(import.meta.dirname, '../../..');
const base = process.argv[2] ?? 'HEAD';

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', base),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const importsOf = (file: string) => readImportedFiles(root, file);
const files = sourceFiles(root);
const tests = chooseTests({ changed, files, importsOf });
if (tests.length === 0) {
  process.stdout.write('No test is about the files that changed.\n');
} else {
  process.stdout.write(`${tests.join('\n')}\n`);
  const { status } = spawnSync('vitest', ['run', ...tests], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
