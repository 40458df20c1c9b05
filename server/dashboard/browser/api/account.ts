import { send } from './client.ts';

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
  readonly token: string;
  readonly createdAt: string;
  readonly userAgent?: string | null;
  readonly ipAddress?: string | null;
}

export const listSessions = () => send<readonly Session[]>(`${path}/list-sessions`);

export const findCurrentSession = () =>
  send<{ readonly session: { readonly token: string } } | null>(`${path}/get-session`);

export const endSession = (token: string) => post<unknown>('revoke-session', { token });
