import { ZodError } from 'zod';
import type { AnyConnector, Intake } from '../contract/connector.ts';
import type { OpenedAccount } from './opened-account.ts';

/**
 * How the events of an account come; null where they come to the channel that it is under, and where its settings are of
 * another version and cannot be read by this one.
 */
export function intakeOf(connector: AnyConnector, account: OpenedAccount): Intake | null {
  if (account.parentId !== null) return null;
  try {
    const intake = connector.intakeOf(account);
    return intake === 'webhook' && connector.webhook === null ? null : intake;
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}
