import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../fixtures/voice');

/** Returns a message of Twilio about a call by its name: the fields of a form, or a message of ConversationRelay. */
export function voiceFixture(name: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}
