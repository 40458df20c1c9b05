import type { Account } from '../contract/account.ts';

/** Shorter ones are words, and ports. */
const shortest = 6;

/**
 * Takes the secrets of an account out of what is shown or logged, wherever they are in it: platforms repeat what they
 * were sent, and some have tokens in their addresses.
 */
export function withoutSecrets({ credentials, secret }: Pick<Account, 'credentials' | 'secret'>) {
  const secrets = [...textsIn(credentials), secret].filter((text) => text.length >= shortest);
  const forms = new Set(secrets.flatMap((text) => [text, encodeURIComponent(text)]));
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  return (text: string): string =>
    longestFirst.reduce((rest, form) => rest.replaceAll(form, '[secret]'), text.toWellFormed());
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.toWellFormed()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
