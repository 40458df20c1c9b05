import type { IntercomClient } from 'intercom-client';
import { within } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { unreachableError } from '../shared/unreachable-error.ts';
import { hostsOf } from './hosts.ts';
import type { IntercomAccount } from './manifest.ts';
import { RefusalError } from './refusal-error.ts';

export type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

const TIMEOUT_MS = 14_000;
/** The client's own, which says nothing of why. */
const NEVER_S = 20;

/**
 * Calls Intercom by its own client, which neither tries again nor waits: that is done from outside, where it survives a
 * restart. Throws ConnectorErrors.
 */
export async function callIntercom<Result>(
  call: (client: IntercomClient) => Promise<Result>,
  account: Pick<IntercomAccount, 'credentials' | 'settings'>,
  { fetch, signal, now }: CallTools,
): Promise<Result> {
  // Hundreds of files, which an installation without Intercom need not read.
  const { IntercomClient, IntercomError } = await import('intercom-client');
  const { access_token, client_secret } = account.credentials;
  let failure: unknown;
  const open = (ends: AbortSignal) =>
    new IntercomClient({
      token: access_token,
      baseUrl: hostsOf(account.settings).api,
      maxRetries: 0,
      timeoutInSeconds: NEVER_S,
      fetch: async (input, init) => {
        try {
          return await fetch(input, { ...init, redirect: 'error', signal: ends });
        } catch (error) {
          // The client keeps no more than its words.
          failure = error;
          throw error;
        }
      },
    });
  try {
    return await within({ timeoutMs: TIMEOUT_MS, signal }, (ends) => call(open(ends)));
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    const refused = error instanceof IntercomError && error.statusCode !== undefined ? error : null;
    if (refused !== null) throw new RefusalError(refused, now());
    throw unreachableError('Intercom', failure ?? error, [access_token, client_secret]);
  }
}
