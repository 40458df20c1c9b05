import { send } from './send.ts';

const path = '/dashboard/auth';

const post = <Data>(name: string, body: object) => send<Data>(`${path}/${name}`, { method: 'POST', body });

/** Changes the password and ends all other sessions. */
export const changePassword = (currentPassword: string, newPassword: string) =>
  post<unknown>('change-password', { currentPassword, newPassword, revokeOtherSessions: true });

export interface TwoFactorSetup {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** Begins two-factor sign-in: it is on once `confirmTwoFactor` got a code. */
export const beginTwoFactor = (password: string) => post<TwoFactorSetup>('two-factor/enable', { password });

export const confirmTwoFactor = (code: string) => post<unknown>('two-factor/verify-totp', { code });

export const endTwoFactor = (password: string) => post<unknown>('two-factor/disable', { password });

export interface Session {
  readonly id: string;
  readonly is_current: boolean;
  readonly user_agent: string | null;
  readonly ip_address: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
}

export async function listSessions(): Promise<readonly Session[]> {
  const { sessions } = await send<{ readonly sessions: readonly Session[] }>('/admin/v1/me/sessions');
  return sessions;
}

export const endSession = (id: string) =>
  send<unknown>(`/admin/v1/me/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
