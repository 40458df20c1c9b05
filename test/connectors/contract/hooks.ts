import { globSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { ContractHooks, OwnChannelHooks } from './contract-hooks.ts';

const tests = resolve(import.meta.dirname, '..');
/** The channel that new ones are copied from keeps its hooks beside it. */
const example = resolve(tests, '../../server/docs/examples/channel-echo/test/contract-hooks.ts');
const fileSchema = z.object({
  hooks: z.custom<ContractHooks | OwnChannelHooks>(
    (hooks) => typeof hooks === 'object' && hooks !== null && 'account' in hooks,
    'The file does not export its hooks.',
  ),
});

/**
 * The hooks of all channels: the files `contract-hooks.ts` beside the tests of a channel, by the name of their folder. A
 * channel that is registered without them fails its contract.
 */
export const hooks: Readonly<Record<string, ContractHooks | OwnChannelHooks>> = Object.fromEntries(
  await Promise.all(
    [...globSync('*/**/contract-hooks.ts', { cwd: tests }).map((file) => join(tests, file)), example]
      .filter((file) => basename(dirname(file)) !== 'contract')
      .map(async (file) => {
        const loaded: unknown = await import(file);
        const channel = file === example ? 'echo' : basename(dirname(file));
        return [channel, fileSchema.parse(loaded).hooks] as const;
      }),
  ),
);
