import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';
import type { OpenedAccount } from './opened-account.ts';

/** Whose a channel is that is under another. Throws `invalid_settings`, and `tenancy_not_supported`. */
export function requireTenant({ facets }: AnyConnector, account: OpenedAccount): string {
  if (facets.tenancy === undefined) throw new AppError('tenancy_not_supported');
  const tenant = facets.tenancy.tenantOf(account);
  if (tenant !== null) return tenant;
  throw new AppError('invalid_settings', {
    detail: 'settings do not say whose the channel is: one that is under another is for one team of it.',
  });
}

/** A channel that is under another stays the same tenant's. Throws `invalid_settings`. */
export function requireSameTenant(
  connector: AnyConnector,
  account: OpenedAccount,
  tenant: string | null,
): void {
  if (requireTenant(connector, account) === tenant) return;
  throw new AppError('invalid_settings', {
    detail: 'settings name another team: add a channel for that one instead.',
  });
}
