import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { CommandError } from '../../../server/cli/command-error.ts';
import { buildProgram } from '../../../server/cli/program.ts';

const idle = { execute: async () => {}, run: async () => {}, print: () => {}, help: () => {} };

function leaves(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function helpOf(command: CommandUnknownOpts): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

/** Splits a line like a shell, as far as the examples need. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe('the command line', () => {
  const commands = leaves(buildProgram(idle)).map((command) => [command.name(), helpOf(command)] as const);

  test.each(commands)('the help of %s describes it with examples and exit codes', async (_name, help) => {
    const examples = [...help.matchAll(/npm run parley -- (.+)/g)].map(([, line]) => line ?? '');
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(help).toMatch(/Exit codes:\n {2}0 {2}\S.*\n {2}1 {2}\S.*\n {2}2 {2}\S/);
    expect(help).toContain('--json');
    for (const example of examples) {
      const outcome = await buildProgram(idle)
        .parseAsync(words(example), { from: 'user' })
        .catch((error: unknown) => error);
      expect(outcome instanceof CommandError ? outcome.code : 'accepted', example).not.toBe('wrong_usage');
    }
  });

  test.each([
    [['workspace', 'lst'], "unknown command 'lst' (Did you mean list?)", 'workspace --help'],
    [['key', 'create'], "missing required argument 'name'", 'key create --help'],
    [['workspace', 'create', 'x', '--plan', 'gold'], /gold.*free, starter/, 'workspace create --help'],
    [['search', 'x', '--top-k', 'many'], /Give a whole number/, 'search --help'],
    [['ask', 'x', '--server', 'ftp://x'], /Give an http or https URL/, 'ask --help'],
    [['ask'], /question/, 'ask --help'],
  ])('%j is invalid usage, and the error says what to do', async (args, message, hint) => {
    const outcome = buildProgram(idle).parseAsync(args, { from: 'user' });
    await expect(outcome).rejects.toThrow(message);
    await expect(outcome).rejects.toMatchObject({
      exitCode: 2,
      code: 'wrong_usage',
      hint: expect.stringContaining(hint),
    });
  });

  test('rejects one title for several documents before anything is added', async () => {
    const { pathname } = new URL('../../../core/demo/help-centre', import.meta.url);
    const outcome = buildProgram(idle).parseAsync(['document', 'add', pathname, '--title', 'x'], {
      from: 'user',
    });
    await expect(outcome).rejects.toMatchObject({ exitCode: 2, code: 'wrong_usage' });
  });
});
