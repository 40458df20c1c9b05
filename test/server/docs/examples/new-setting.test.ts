import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../../../helpers/child-environment.ts';
import { addSetting } from '../../../helpers/generators/add-setting.ts';
import { nodeArguments } from '../../../helpers/node-arguments.ts';

const root = resolve(import.meta.dirname, '../../../..');
const documentation = 'server/docs/pages/configuration.md';

/** Copies what the generator reads of the project, and what its files import, into a folder of its own. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-setting-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const german = 'server/dashboard/browser/texts/german/fields.ts';
  for (const file of ['core', 'package.json', 'server/admin/settings', german, documentation])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Asks the copied project for the new setting, in a process that loads its files. */
function readSetting(folder: string): unknown {
  const script = `
    import { workspaceSettingsChangeSchema as change } from './core/workspaces/workspace-settings.ts';
    import { describeSettings } from './server/admin/settings/setting-descriptions.ts';
    import { fields } from './server/dashboard/browser/texts/german/fields.ts';
    const { properties } = describeSettings({ plan: 'growth', settings: {} });
    const changes = [true, null].map((quiet_hours) => change.parse({ quiet_hours }));
    console.log(JSON.stringify({ english: properties.quiet_hours, german: fields.quiet_hours, changes }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeArguments, '--input-type=module-typescript', '--eval', script],
    { cwd: folder, env: childEnvironment(), encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('a new setting can be changed, is described in both languages, and its test fails until it is filled in', () => {
  const folder = copyProject();
  const own = 'test/core/workspaces/quiet-hours-setting.test.ts';
  expect(addSetting(folder, 'quiet-hours')).toEqual([
    'core/workspaces/workspace-settings.ts',
    'server/admin/settings/setting-descriptions.ts',
    'server/dashboard/browser/texts/german/fields.ts',
    documentation,
    own,
  ]);
  const texts = { title: 'Quiet hours', description: expect.stringContaining('Fill in') };
  expect(readSetting(folder)).toEqual({
    english: {
      ...{ ...texts, type: 'boolean', default: false, 'x-group': 'answers' },
      'x-effect': expect.stringContaining('Fill in'),
    },
    german: { ...texts, effect: expect.stringContaining('Fill in') },
    changes: [{ quiet_hours: true }, { quiet_hours: null }],
  });
  expect(readFileSync(join(folder, documentation), 'utf8')).toMatch(
    /\|\n\| `quiet_hours` \| `false` \| Fill in[^|\n]+\|\n\n## Plans/u,
  );
  expect(readFileSync(join(folder, own), 'utf8')).toContain(
    'expect.unreachable(`Fill in, and test here what quiet_hours',
  );
});

test('a setting that is there, and a name that is none, write nothing', () => {
  const folder = copyProject();
  expect(addSetting(folder, 'mask-secrets')).toBe('There is a setting mask_secrets already.');
  expect(addSetting(folder, 'Mask')).toContain('small letters');
  expect(addSetting(folder, 'quiet-hours')).toHaveLength(5);
  expect(addSetting(folder, 'quiet-hours')).toContain('already');
});
