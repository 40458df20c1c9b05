import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../../core/contract/account.ts';

const folder = join(import.meta.dirname, '../../../fixtures/intercom');

/** A notification in Intercom's own format, by the name of what it shows. */
export function intercomFixture(name: string): {
  readonly [field: string]: Json;
  readonly id: string;
  readonly topic: string;
} {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

export function intercomFixtures(): string[] {
  return readdirSync(folder).map((file) => file.replace('.json', ''));
}
