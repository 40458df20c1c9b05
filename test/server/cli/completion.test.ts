import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openCommandLine } from '../../helpers/servers/processes/open-command-line.ts';

const { run } = await openCommandLine();

test('bash completes commands, their commands and their options', async () => {
  const { stdout: script } = await run('completion', 'bash');
  const complete = (...words: string[]) => {
    const line = ['parley', ...words].map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _parley; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' }).trim();
  };
  expect(complete('do')).toBe('document doctor');
  expect(complete('document', 'a')).toBe('add');
  expect(complete('--json', 'key', 'list', '--wo')).toBe('--workspace');
  expect(complete('ask', 'key', '--top')).toBe('--top-k');
});

test.each(['zsh', 'fish'])('%s gets a script with all commands', async (shell) => {
  const { code, stdout } = await run('completion', shell);
  expect(code).toBe(0);
  for (const command of ['webhook deliveries', 'person link', 'workspace create'])
    expect(stdout).toContain(`'${command}'`);
});

test('another shell is refused with the ones that are known', async () => {
  expect(await run('completion', 'csh')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
});
