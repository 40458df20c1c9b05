import { randomBytes } from 'node:crypto';

/** The columns with the secrets that sign the identities of visitors. */
export const identityColumns = [
  'identity_secret_encrypted',
  'previous_identity_secret_encrypted',
  'previous_identity_secret_until',
] as const;

export function identityPlace(id: string) {
  return { table: 'workspace', column: 'identity_secret_encrypted', id } as const;
}

export function newIdentitySecret(): string {
  return `ids_${randomBytes(32).toString('base64url')}`;
}
