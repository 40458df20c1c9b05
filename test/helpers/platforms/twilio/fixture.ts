import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../fixtures/twilio');

/** The fields of a form as Twilio posts it, by the name of what it shows. */
export function twilioFixture(name: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

export function twilioFixtures(of: 'sms' | 'whatsapp'): string[] {
  return readdirSync(folder)
    .map((file) => file.replace('.json', ''))
    .filter((name) => name.startsWith(`${of}-`));
}
