import { expect, test } from 'vitest';
import { returnFreedMemory } from '../../../core/runtime/compile-cache.ts';

const started = {
  platform: 'linux',
  env: { PORT: '0' },
  execPath: '/bin/node',
  execArgv: ['--disable-warning=ExperimentalWarning'],
  argv: ['/bin/node', 'main.ts', 'workers'],
} as const;
const replacement = Symbol('another program runs from here on');

/** Returns the arguments of the call that replaced the process; undefined if there was none. */
function replace(process: { readonly platform: NodeJS.Platform; readonly env: NodeJS.ProcessEnv }) {
  let call: readonly unknown[] | undefined;
  const execve = (...args: unknown[]): never => {
    call = args;
    throw replacement;
  };
  const run = () =>
    returnFreedMemory({
      ...started,
      execArgv: [...started.execArgv],
      argv: [...started.argv],
      execve,
      ...process,
    });
  try {
    run();
  } catch (error) {
    expect(error).toBe(replacement);
  }
  return call;
}

test('on Linux a process starts anew with the setting of glibc, its arguments and its environment', () => {
  expect(replace(started)).toEqual([
    '/bin/node',
    ['/bin/node', '--disable-warning=ExperimentalWarning', 'main.ts', 'workers'],
    { PORT: '0', MALLOC_TRIM_THRESHOLD_: '131072' },
  ]);
});

test('a process that has the setting, or runs on another system, goes on', () => {
  expect(replace({ ...started, env: { MALLOC_TRIM_THRESHOLD_: '0' } })).toBeUndefined();
  expect(replace({ ...started, platform: 'darwin' })).toBeUndefined();
});
