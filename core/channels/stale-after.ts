import { ZodError } from 'zod';
import type { Account } from '../contract/account.ts';
import type { AnyConnector } from '../contract/connector.ts';

/** After how long a platform seems to have stopped, in milliseconds; null where its silence means no more than elsewhere. */
export function staleAfter({ facets }: AnyConnector, account: Account): number | null {
  try {
    return facets.staleAfterMs?.(account) ?? null;
  } catch (error) {
    // Settings of another version, which this one cannot read.
    if (error instanceof ZodError) return null;
    throw error;
  }
}
