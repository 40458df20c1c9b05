import { expect, test } from 'vitest';
import { buildProgram } from '../../../server/cli/program.ts';
import { placeGlobalFlags } from '../../../server/cli/run-command-line.ts';
import { openCommandLine } from '../../helpers/servers/processes/open-command-line.ts';

const program = buildProgram({
  execute: async () => {},
  run: async () => {},
  print: () => {},
  help: () => {},
});

test.each([
  ['--json key list', 'key list --json'],
  ['--workspace Shop key --json list', 'key list --workspace Shop --json'],
  ['--server=http://a.example audit --actor Ann', 'audit --server=http://a.example --actor Ann'],
  ['key create --json --workspace x', 'key create --json --workspace x'],
  ['ask key --json', 'ask key --json'],
  ['--version', '--version'],
  ['keys list', 'keys list'],
])('%s is read as %s', (line, expected) => {
  expect(placeGlobalFlags(program, line.split(' '))).toEqual(expected.split(' '));
});

test('flags before the command have their effect', async () => {
  const { server, run } = await openCommandLine();
  await server.makeWorkspace({ name: 'Shop' });
  await server.makeWorkspace({ name: 'Other' });
  expect((await run('key', 'list')).code).toBe(2);
  const { code, stdout } = await run('--json', '--workspace', 'Shop', 'key', 'list');
  expect([code, JSON.parse(stdout).keys.length]).toEqual([0, 1]);
});
