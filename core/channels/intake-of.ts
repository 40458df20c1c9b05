import { ZodError } from 'zod';
import type { Account } from '../contract/account.ts';
import type { AnyConnector, Intake } from '../contract/connector.ts';

/** How the events of an account come; null where its settings are of another version, and cannot be read by this one. */
export function intakeOf(connector: AnyConnector, account: Account): Intake | null {
  try {
    const intake = connector.intakeOf(account);
    return intake === 'webhook' && connector.webhook === null ? null : intake;
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}
