import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type MemberRole, memberRoleSchema } from './authority.ts';

const HOUR_MS = 3_600_000;

/** How long a link works: the first one of an installation and a new password a day, an invitation a week. */
const LIFETIME_MS = { begin: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS, recovery: 24 * HOUR_MS } as const;

const linkKindSchema = z.enum(['begin', 'invitation', 'recovery']);
export type LinkKind = z.output<typeof linkKindSchema>;

/** A link that works once. The token is in the address after `#`, so that no log records it. */
export interface MemberLink {
  readonly id: string;
  readonly kind: LinkKind;
  /** Null for the first link of an installation, which any address may use. */
  readonly email: string | null;
  readonly ownerId: string | null;
  readonly role: MemberRole | null;
  /** Null: all workspaces of the owner. */
  readonly workspaceIds: readonly string[] | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Whether a new password leaves the second factor. */
  readonly keepsSecondFactor: boolean;
  /** Mails with this link so far. */
  readonly mails: number;
  /** When the last mail was sent, or was refused with `mailFault`. */
  readonly mailedAt: Date | null;
  readonly mailFault: string | null;
}

export interface NewLink {
  readonly kind: LinkKind;
  readonly email?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly role?: MemberRole | undefined;
  readonly workspaceIds?: readonly string[] | undefined;
  readonly createdBy: string;
  readonly keepsSecondFactor?: boolean;
  readonly now: Date;
}

/** Stores a link and returns its token, which is only returned here. */
export async function createLink(
  database: Kysely<Tables>,
  link: NewLink,
): Promise<{ link: MemberLink; token: string }> {
  const token = newToken();
  const row = await database
    .insertInto('member_link')
    .values({
      id: newId('link'),
      kind: link.kind,
      token_hash: hashToken(token),
      email: link.email ?? null,
      owner_id: link.ownerId ?? null,
      role: link.role ?? null,
      workspace_ids: link.workspaceIds === undefined ? null : [...link.workspaceIds],
      created_by: link.createdBy,
      keeps_second_factor: link.keepsSecondFactor ?? false,
      created_at: link.now,
      expires_at: new Date(link.now.getTime() + LIFETIME_MS[link.kind]),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { link: linkFromRow(row), token };
}

/** Gives an unused link a new token, from now for its whole lifetime. The old token stops working. */
export async function renewLink(
  database: Kysely<Tables>,
  { id, kind, now }: { readonly id: string; readonly kind: LinkKind; readonly now: Date },
): Promise<{ link: MemberLink; token: string }> {
  const token = newToken();
  const row = await database
    .updateTable('member_link')
    .set({ token_hash: hashToken(token), expires_at: new Date(now.getTime() + LIFETIME_MS[kind]) })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('link_expired');
  return { link: linkFromRow(row), token };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

interface LinkUse {
  readonly kind: LinkKind;
  readonly token: string;
  readonly now: Date;
}

/** Returns an unused link without using it. Throws `link_expired`. */
export async function readLink(database: Kysely<Tables>, { kind, token, now }: LinkUse): Promise<MemberLink> {
  const row = await database
    .selectFrom('member_link')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('link_expired');
  return linkFromRow(row);
}

/**
 * Marks a link as used, and ends the recovery links of its person. Of two requests with the same link, one throws
 * `link_expired`. Run it in the transaction of the use.
 */
export async function redeemLink(
  database: Kysely<Tables>,
  { kind, token, now }: LinkUse,
): Promise<MemberLink> {
  const row = await database
    .updateTable('member_link')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('link_expired');
  if (row.email !== null) await endRecoveryLinks(database, row.email);
  return linkFromRow(row);
}

/** Ends the unused links for a new password of an address, or only those that came by mail, or not by mail. */
export async function endRecoveryLinks(
  database: Kysely<Tables>,
  email: string,
  only: { readonly keepsSecondFactor?: boolean } = {},
): Promise<void> {
  const { keepsSecondFactor } = only;
  await database
    .deleteFrom('member_link')
    .where('kind', '=', 'recovery')
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .$if(keepsSecondFactor !== undefined, (query) =>
      query.where('keeps_second_factor', '=', keepsSecondFactor ?? false),
    )
    .execute();
}

/** Ends the first link of the installation. */
export async function endFirstLinks(database: Kysely<Tables>): Promise<void> {
  await database.deleteFrom('member_link').where('kind', '=', 'begin').where('used_at', 'is', null).execute();
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function linkFromRow(row: Selectable<Tables['member_link']>): MemberLink {
  return {
    id: row.id,
    kind: linkKindSchema.parse(row.kind),
    email: row.email,
    ownerId: row.owner_id,
    role: row.role === null ? null : memberRoleSchema.parse(row.role),
    workspaceIds: row.workspace_ids,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    keepsSecondFactor: row.keeps_second_factor,
    mails: row.mails,
    mailedAt: row.mailed_at,
    mailFault: row.mail_fault,
  };
}
