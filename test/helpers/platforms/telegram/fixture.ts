import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../../core/contract/account.ts';

const folder = join(import.meta.dirname, '../../../fixtures/telegram');

/** An update in Telegram's own format, by the name of what it shows. */
export function telegramFixture(name: string): {
  readonly [field: string]: Json;
  readonly update_id: number;
} {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

export function telegramFixtures(): string[] {
  return readdirSync(folder).map((file) => file.replace('.json', ''));
}
