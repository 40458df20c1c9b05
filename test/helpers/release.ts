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

const files = ['CHANGELOG.md', 'package.json', 'package-lock.json'];
const changelogFile = join(root, 'CHANGELOG.md');
const date = new Date().toISOString().slice(0, 10);
const dated = datedChangelog(readFileSync(changelogFile, 'utf8'), { version, date });
if (dated === null) stop('CHANGELOG.md has no section "Unreleased" with upgrade notes.\n');
const billFile = `parley-${version}.cdx.json`;
const packageCount = writeFiles(dated.text);
run('git', 'commit', '--quiet', '--message', `release: ${version}`, ...files);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Parley ${version}\n\n${dated.upgradeNotes}`);
process.stdout.write(
  `Tagged v${version}. ${billFile} lists ${packageCount} packages: attach it to the release.\n`,
);

/**
 * Writes the files of the release, and returns the number of packages in the bill of materials. If that fails, the files
 * are as before. The bill is that of the lock file, so that it does not depend on what this machine has installed.
 */
function writeFiles(changelog: string): number {
  try {
    writeFileSync(changelogFile, changelog);
    run('npm', 'version', version, '--no-git-tag-version');
    const bill: unknown = JSON.parse(
      run('npm', 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev'),
    );
    const { components } = z.object({ components: z.array(z.unknown()) }).parse(bill);
    writeFileSync(join(root, billFile), JSON.stringify(bill, null, 2));
    return components.length;
  } catch (error) {
    run('git', 'checkout', '--', ...files);
    throw error;
  }
}

function stop(reason: string): never {
  process.stderr.write(reason);
  process.exit(2);
}
