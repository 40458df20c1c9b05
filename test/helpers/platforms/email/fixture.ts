import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mail as a server writes it; `{{ours}}` is the mail of ours that it tells of. */
export function emailFixture(name: string, ours: string): string {
  const file = join(import.meta.dirname, '../../../fixtures/email', `${name}.eml`);
  return readFileSync(file, 'utf8').replaceAll('{{ours}}', ours);
}
