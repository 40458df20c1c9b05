import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { unreachableError } from '../shared/unreachable-error.ts';
import type { MailServer } from './manifest.ts';

/** Where a server may be connected to. `kind` is what it is called where it may not. */
export async function serverAddresses(
  kind: 'IMAP' | 'SMTP',
  { host }: MailServer,
  tools: Pick<Tools, 'resolve'>,
): Promise<readonly string[]> {
  try {
    return await tools.resolve(host);
  } catch (error) {
    throw error instanceof ConnectorError ? error : unreachableError(`The ${kind} server`, error, []);
  }
}
