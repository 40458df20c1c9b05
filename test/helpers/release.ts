import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { datedChangelog } from './dated-changelog.ts';

const usage = `Usage: npm run release -- VERSION

Sets the version, dates the changes since the last release, writes the bill of materials of the production packages to
parley-VERSION.cdx.json, commits and tags. The tag has the upgrade notes. Nothing is pushed.
`;

const root = resolve(import.meta.dirname, '../..');
const run = (command: string, ...parameters: readonly string[]) =>
  execFileSync(command, parameters, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 });

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/u.test(version)) stop(usage);
if (run('git', 'status', '--porcelain').trim() !== '') stop('Commit or stash your changes first.\n');
if (run('git', 'tag', '--list', `v${version}`).trim() !== '') stop(`The tag v${version} exists already.\n`);

const changelogFile = join(root, 'CHANGELOG.md');
const date = new Date().toISOString().slice(0, 10);
const dated = datedChangelog(readFileSync(changelogFile, 'utf8'), { version, date });
if (dated === null) stop('CHANGELOG.md has no section "Unreleased" with upgrade notes.\n');
writeFileSync(changelogFile, dated.text);
run('npm', 'version', version, '--no-git-tag-version');
const bill: unknown = JSON.parse(run('npm', 'sbom', '--sbom-format=cyclonedx', '--omit=dev'));
const { components } = z.object({ components: z.array(z.unknown()) }).parse(bill);
const billFile = `parley-${version}.cdx.json`;
writeFileSync(join(root, billFile), JSON.stringify(bill, null, 2));
run(
  'git',
  'commit',
  '--quiet',
  '--message',
  `release: ${version}`,
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Parley ${version}\n\n${dated.upgradeNotes}`);
process.stdout.write(
  `Tagged v${version}. ${billFile} lists ${components.length} packages: attach it to the release.\n`,
);

function stop(reason: string): never {
  process.stderr.write(reason);
  process.exit(2);
}
