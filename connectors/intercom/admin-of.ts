import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { IntercomAccount } from './manifest.ts';

const profileSchema = z.object({ admin_id: z.string().min(1) });

/** The teammate as whom we answer; null where that is neither set nor known. */
export function adminOf({ settings, profile }: Pick<IntercomAccount, 'settings' | 'profile'>): string | null {
  return settings.admin_id ?? profileSchema.safeParse(profile).data?.admin_id ?? null;
}

export function requireAdmin(account: IntercomAccount): string {
  const admin = adminOf(account);
  if (admin !== null) return admin;
  throw new ConnectorError(
    'It is not known as which teammate to answer: set admin_id, or let the credentials be tried.',
    { advice: { retry: 'never' } },
  );
}
