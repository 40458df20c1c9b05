import { ZodError } from 'zod';
<<<<<<< HEAD
import type { Account } from '../contract/account.ts';
import type { AnyConnector, Intake } from '../contract/connector.ts';

/** How the events of an account come; null where its settings are of another version, and cannot be read by this one. */
export function intakeOf(connector: AnyConnector, account: Account): Intake | null {
=======
import type { AnyConnector } from '../contract/connector.ts';
import type { OpenedAccount } from './opened-account.ts';

/**
 * How the events of an account come; null where they come to the channel that it is under, and where its settings are of
 * another version and cannot be read by this one.
 */
export function intakeOf(connector: AnyConnector, account: OpenedAccount): 'webhook' | 'listener' | null {
  if (account.parentId !== null) return null;
>>>>>>> main
  try {
    const intake = connector.intakeOf(account);
    return intake === 'webhook' && connector.webhook === null ? null : intake;
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}
