import type { Kysely, Transaction } from 'kysely';
import { type AuditChange, auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { MemberRole, OwnerAuthority } from './authority.ts';
import { createLink, linkFromRow, type MemberLink, renewLink } from './member-links.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface NewInvitation {
  readonly email: string;
  readonly role: MemberRole;
  readonly workspaceIds: readonly string[] | null;
}

interface Created {
  readonly link: MemberLink;
  readonly token: string;
}

/** Mails with one invitation. Each further one needs a new invitation. */
const MAX_MAILS = 5;

/** Creates a link that makes the address a member. Throws `member_exists`. */
export async function inviteMember(
  { database, clock }: Dependencies,
  authority: OwnerAuthority,
  { email, role, workspaceIds }: NewInvitation,
): Promise<Created> {
  const address = email.toLowerCase();
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    // Of two invitations at the same moment, the later one replaces the earlier.
    await transaction
      .selectFrom('owner')
      .select('id')
      .where('id', '=', authority.scope.ownerId)
      .forNoKeyUpdate()
      .execute();
    const existing = await transaction
      .selectFrom('membership')
      .innerJoin('person', 'person.id', 'membership.person_id')
      .select('person.id')
      .where('owner_id', '=', authority.scope.ownerId)
      .where('email', '=', address)
      .executeTakeFirst();
    if (existing !== undefined) throw new AppError('member_exists');
    // A new invitation of the same address replaces the last one.
    await transaction
      .deleteFrom('member_link')
      .where('owner_id', '=', authority.scope.ownerId)
      .where('kind', '=', 'invitation')
      .where('email', '=', address)
      .where('used_at', 'is', null)
      .execute();
    const created = await createLink(transaction, {
      kind: 'invitation',
      email: address,
      ownerId: authority.scope.ownerId,
      role,
      workspaceIds: workspaceIds ?? undefined,
      createdBy: authority.actor.name,
      now,
    });
    const details = { link: created.link.id, role };
    await audit(transaction, authority, { at: now, change: { action: 'member_invited', details } });
    return created;
  });
}

/**
 * Gives an invitation a new token and another seven days, to be mailed again: only a hash of the old token is stored. Throws
 * `invitation_not_found`, and `rate_limit_day` after five mails.
 */
export async function renewInvitation(
  { database, clock }: Dependencies,
  authority: OwnerAuthority,
  id: string,
): Promise<Created> {
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    const open = await transaction
      .selectFrom('member_link')
      .select('mails')
      .where('owner_id', '=', authority.scope.ownerId)
      .where('kind', '=', 'invitation')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .forUpdate()
      .executeTakeFirst();
    if (open === undefined) throw new AppError('invitation_not_found');
    if (open.mails >= MAX_MAILS) {
      throw new AppError('rate_limit_day', {
        detail: `This invitation was mailed ${MAX_MAILS} times. Revoke it and invite the person anew, or copy the link.`,
        retryAfterSeconds: 86_400,
      });
    }
    await noteMail({ database: transaction, clock }, id);
    const renewed = await renewLink(transaction, { id, kind: 'invitation', now });
    await audit(transaction, authority, {
      at: now,
      change: { action: 'invitation_mailed', details: { link: id } },
    });
    return renewed;
  });
}

/** Counts a mail with an invitation. Do it before it is sent, so that the limit holds for mails sent together. */
export async function noteMail({ database, clock }: Dependencies, id: string): Promise<void> {
  await database
    .updateTable('member_link')
    .set((update) => ({ mails: update('mails', '+', 1), mailed_at: clock.now(), mail_fault: null }))
    .where('id', '=', id)
    .execute();
}

/** Stores why the mail of an invitation was not taken. The invitation stays. */
export async function noteMailFault({ database }: Dependencies, id: string, fault: string): Promise<void> {
  await database.updateTable('member_link').set({ mail_fault: fault }).where('id', '=', id).execute();
}

/** Returns the unused invitations of an owner, latest first. */
export async function listInvitations(
  { database, clock }: Dependencies,
  { scope: { ownerId } }: OwnerAuthority,
): Promise<readonly MemberLink[]> {
  const rows = await database
    .selectFrom('member_link')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'invitation')
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(linkFromRow);
}

/** Throws `invitation_not_found`. */
export async function revokeInvitation(
  { database, clock }: Dependencies,
  authority: OwnerAuthority,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('member_link')
      .where('owner_id', '=', authority.scope.ownerId)
      .where('kind', '=', 'invitation')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw new AppError('invitation_not_found');
    const change = { action: 'invitation_revoked', details: { link: id } } as const;
    await audit(transaction, authority, { at: clock.now(), change });
  });
}

async function audit(
  transaction: Transaction<Tables>,
  { scope: { workspaceId }, actor }: OwnerAuthority,
  { at, change }: { readonly at: Date; readonly change: AuditChange },
): Promise<void> {
  await auditWorkspace(transaction, { workspaceId, actor, at, ...change });
}
