import { join } from 'node:path';
import { afterAll } from 'vitest';
import { emptyTestFolder } from '../../stores/databases/test-data-folder.ts';
import { startDovecot } from './start-dovecot.ts';
import { startPostfix } from './start-postfix.ts';

/** Starts Dovecot with Postfix in front of it, stopped after the test file; null if the machine lacks one of them. */
export async function openMailServers(addresses: readonly string[]) {
  const folder = emptyTestFolder();
  const dovecot = await startDovecot(join(folder, 'dovecot'), addresses);
  if (dovecot === null) return null;
  const domains = [...new Set(addresses.map((address) => address.slice(address.indexOf('@') + 1)))];
  const postfix = await startPostfix(join(folder, 'postfix'), dovecot, domains);
  afterAll(async () => {
    await postfix?.stop();
    await dovecot.stop();
  });
  if (postfix === null) return null;
  return { dovecot, postfix };
}
