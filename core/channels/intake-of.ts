import { ZodError } from 'zod';
import type { Account } from '../contract/account.ts';
import type { AnyConnector } from '../contract/connector.ts';

/** How the events of an account come; null where its settings are of another version, and cannot be read by this one. */
export function intakeOf(connector: AnyConnector, account: Account): 'webhook' | 'listener' | null {
  try {
    const intake = connector.intakeOf(account);
    return intake === 'webhook' && connector.webhook === null ? null : intake;
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}
