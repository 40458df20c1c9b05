import type { Settings } from '../storage/settings.ts';
import type { SecretBox } from './secret-box.ts';

const name = 'encryption_check';
const place = { table: 'setting', column: 'value', id: name } as const;

/**
 * Makes sure that the keys of this process open what the database was encrypted with, and notes the current key as the
 * one that everything is to be sealed under. Throws a StartError where no key opens it.
 */
export async function markEncryptionKey(settings: Settings, secretBox: SecretBox): Promise<void> {
  const stored = await settings.getOrSet(name, secretBox.seal('parley', place));
  secretBox.open(stored, place);
  if (!secretBox.isCurrent(stored)) await settings.set(name, secretBox.seal('parley', place));
}

/** Whether no process was started later with another current key. */
export async function isInstallationKey(settings: Settings, secretBox: SecretBox): Promise<boolean> {
  const stored = await settings.get(name);
  return stored === null || secretBox.isCurrent(stored);
}
