import { dirname, join } from 'node:path';
import { inject } from 'vitest';

/** What a program started by a test always gets. The compiled code of one start serves those after it. */
export function childEnvironment(): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: join(dirname(inject('templateFolder')), 'compile-cache'),
  };
}
