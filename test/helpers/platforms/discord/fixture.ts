import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../../core/contract/account.ts';

const folder = join(import.meta.dirname, '../../../fixtures/discord');

/** An event in Discord's own format, by the name of what it shows. */
export function discordFixture(name: string): { readonly [field: string]: Json } {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}
