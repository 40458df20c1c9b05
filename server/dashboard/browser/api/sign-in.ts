import { queryOptions } from '@tanstack/react-query';
import type { Role } from './queries/me.ts';
import { send } from './send.ts';

const authPath = '/dashboard/auth';

const post = <Data>(path: string, body: object = {}) =>
  send<Data>(path, { method: 'POST', body, keepPage: true });

/** Signs in with a password. `twoFactorRedirect` asks for the second factor. */
export const signInByPassword = (email: string, password: string) =>
  post<{ readonly twoFactorRedirect?: boolean }>(`${authPath}/sign-in/email`, { email, password });

export const verifyCode = (code: string) => post<unknown>(`${authPath}/two-factor/verify-totp`, { code });

export const verifyBackupCode = (code: string) =>
  post<unknown>(`${authPath}/two-factor/verify-backup-code`, { code });

export interface ProviderLink {
  readonly name: string;
  readonly url: string;
}

interface SignInOptions {
  /** The sign-ins of companies for the domain. */
  readonly providers: readonly ProviderLink[];
  /** Whether a lost password can be mailed. */
  readonly sends_mail?: boolean;
  /** The reason of the failed sign-in from which the browser returns. It is shown once. */
  readonly fault?: string | null;
}

/** The providers for addresses at a domain; an empty domain stands for those that everybody has. */
export const signInOptionsQuery = (domain: string) =>
  queryOptions({
    queryKey: ['sign-in-options', domain],
    queryFn: () =>
      send<SignInOptions>(`/dashboard/auth-options?${new URLSearchParams({ domain })}`, { keepPage: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Redirects to the sign-in of a company, and from there to a page of the dashboard. */
export function goToProvider({ url }: ProviderLink, back: string): void {
  location.assign(`${url}?${new URLSearchParams({ return: back })}`);
}

/** Asks for a link for a new password by mail. The answer is the same for everybody. */
export const askForLink = (email: string) => post<unknown>('/dashboard/forgot', { email });

export interface NewAccount {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Makes the first account of the installation and signs in. */
export const beginInstallation = (account: NewAccount) => post<unknown>('/dashboard/begin', account);

export interface Invitation {
  readonly email: string;
  readonly role: Role;
  readonly inviter: string;
  readonly workspaces: readonly string[];
  /** Whether an account with this address exists. */
  readonly has_account: boolean;
  /** The only provider that the address may use, if there is one. */
  readonly provider?: ProviderLink | null;
}

export const lookAtInvitation = (token: string) => post<Invitation>('/dashboard/invitations/look', { token });

interface Acceptance {
  readonly token: string;
  readonly name?: string;
  readonly password?: string;
}

export const acceptInvitation = (acceptance: Acceptance) =>
  post<unknown>('/dashboard/invitations/accept', acceptance);

/** Sets a new password by a recovery link and signs in. */
export const recover = (token: string, password: string) =>
  post<unknown>('/dashboard/recover', { token, password });

export const endSession = () => post<unknown>(`${authPath}/sign-out`);

/** Ends the session and loads the sign-in page anew, so that nothing of the person stays in memory. */
export async function signOut(): Promise<void> {
  await endSession().catch(() => {});
  location.assign('/dashboard/sign-in');
}
