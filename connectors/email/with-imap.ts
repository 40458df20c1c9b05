import type { ImapFlow } from 'imapflow';
import type { Tools } from '../../core/contract/account.ts';
import { imapError } from './imap-error.ts';
import type { MailServer } from './manifest.ts';
import { openImap } from './open-imap.ts';

/** A connection that lasts as long as it is used, and no longer than `tools.signal` has it. Throws ConnectorErrors. */
export async function withImap<Result>(
  server: MailServer,
  tools: Tools,
  use: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const client = await openImap(server, tools);
  const end = () => client.close();
  tools.signal.addEventListener('abort', end, { once: true });
  try {
    return await use(client);
  } catch (error) {
    throw imapError(error);
  } finally {
    tools.signal.removeEventListener('abort', end);
    client.close();
  }
}
