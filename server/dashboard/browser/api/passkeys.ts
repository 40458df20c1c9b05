import type { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { send } from './send.ts';

const path = '/dashboard/auth/passkey';

export interface Passkey {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt?: string;
}

type SignInOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Browsers know passkeys on https and localhost only, and not for a host without a name. */
export function hasPasskeys(): boolean {
  const isAddress = location.hostname.startsWith('[') || /^[\d.]+$/.test(location.hostname);
  return isSecureContext && !isAddress && 'PublicKeyCredential' in window;
}

export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await send<SignInOptions>(`${path}/generate-authenticate-options`, { keepPage: true });
  const response = await (await loadWebAuthn()).startAuthentication({ optionsJSON });
  await send<unknown>(`${path}/verify-authentication`, {
    method: 'POST',
    body: { response },
    keepPage: true,
  });
}

export const listPasskeys = () => send<readonly Passkey[]>(`${path}/list-user-passkeys`);

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await send<RegistrationOptions>(`${path}/generate-register-options`);
  const response = await (await loadWebAuthn()).startRegistration({ optionsJSON });
  await send<unknown>(`${path}/verify-registration`, { method: 'POST', body: { response, name } });
}

export const removePasskey = (id: string) =>
  send<unknown>(`${path}/delete-passkey`, { method: 'POST', body: { id } });

/** Loaded with the first passkey: most people sign in without one. */
function loadWebAuthn() {
  return import('@simplewebauthn/browser');
}
