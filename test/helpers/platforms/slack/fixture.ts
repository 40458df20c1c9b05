import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../../core/contract/account.ts';

const folder = join(import.meta.dirname, '../../../fixtures/slack');

type Fixture = { readonly [field: string]: Json };

/** A payload in Slack's own format, by the name of what it shows. */
export function slackFixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

export function slackFixtures(): string[] {
  return readdirSync(folder).map((file) => file.replace('.json', ''));
}
