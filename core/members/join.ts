import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { writeAuditEntries } from '../conversations/audit-log.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { createLink, type MemberLink, readLink, redeemLink } from './member-links.ts';
import type { SignIn } from './sign-in.ts';
import { auditPerson } from './sign-in-audit.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly signIn: Pick<SignIn, 'hashPassword'>;
}

interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isOperator: boolean;
}

/** The fields of the page that a link opens. */
interface Entry {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/**
 * Makes the first person of an installation: its operator, and the owner of the workspaces that the link names. Throws
 * `link_expired`, `weak_password` and `member_exists`.
 */
export async function beginInstallation(
  { database, clock, signIn }: Dependencies,
  { token, name, email, password }: Entry & { readonly email: string },
): Promise<void> {
  await readLink(database, { kind: 'begin', token, now: clock.now() });
  const passwordHash = await signIn.hashPassword(password, email);
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    const link = await redeemLink(transaction, { kind: 'begin', token, now });
    const personId = await insertPerson(transaction, { email, name, passwordHash, isOperator: true });
    await joinByLink(transaction, { link, personId, now });
  });
}

/**
 * Makes the invited address a person and a member. Throws `link_expired`, `weak_password`, and `member_exists` if the person
 * exists: they sign in and accept the invitation as themselves.
 */
export async function acceptInvitation(
  { database, clock, signIn }: Dependencies,
  { token, name, password }: Entry,
): Promise<{ readonly email: string }> {
  const { email } = await readInvitation(database, { token, now: clock.now() });
  const passwordHash = await signIn.hashPassword(password, email);
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    const link = await redeemLink(transaction, { kind: 'invitation', token, now });
    const personId = await insertPerson(transaction, { email, name, passwordHash, isOperator: false });
    await joinByLink(transaction, { link, personId, now });
  });
  return { email };
}

/** Makes a signed-in person a member. Throws `link_expired`, also for an invitation of another address. */
export async function acceptInvitationAs(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  {
    token,
    person,
  }: { readonly token: string; readonly person: { readonly id: string; readonly email: string } },
): Promise<void> {
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    const link = await redeemLink(transaction, { kind: 'invitation', token, now });
    if (link.email !== person.email) {
      throw new AppError('link_expired', {
        detail: 'This invitation is for another email address. Sign in with that address.',
      });
    }
    await joinByLink(transaction, { link, personId: person.id, now });
  });
}

/**
 * Sets a new password by a recovery link, ends the person's sessions and removes their second factor. Throws `link_expired`
 * and `weak_password`.
 */
export async function recoverPerson(
  { database, clock, signIn }: Dependencies,
  { token, password }: Pick<Entry, 'token' | 'password'>,
): Promise<{ readonly email: string }> {
  const { email } = await readLink(database, { kind: 'recovery', token, now: clock.now() });
  if (email === null) throw new AppError('link_expired');
  const passwordHash = await signIn.hashPassword(password, email);
  await database.transaction().execute(async (transaction) => {
    await redeemLink(transaction, { kind: 'recovery', token, now: clock.now() });
    const person = await transaction
      .selectFrom('person')
      .select('id')
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirst();
    if (person === undefined) throw new AppError('link_expired');
    await replacePassword(transaction, person.id, passwordHash);
    const change = { action: 'password_changed', details: { by: 'recovery_link' } } as const;
    await auditPerson(transaction, { personId: person.id, at: clock.now() }, change);
  });
  return { email };
}

/** Returns what an invitation offers, with the address it is for. Throws `link_expired`. */
export async function readInvitation(
  database: Kysely<Tables>,
  { token, now }: { readonly token: string; readonly now: Date },
): Promise<MemberLink & { readonly email: string }> {
  const link = await readLink(database, { kind: 'invitation', token, now });
  if (link.email === null) throw new AppError('link_expired');
  return { ...link, email: link.email };
}

/** Creates a link for a new password. Throws `member_not_found`. */
export async function createRecoveryLink(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  { email, actor }: { readonly email: string; readonly actor: string },
): Promise<{ readonly link: MemberLink; readonly token: string }> {
  const address = email.toLowerCase();
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    const person = await transaction
      .selectFrom('person')
      .select('id')
      .where('email', '=', address)
      .executeTakeFirst();
    if (person === undefined) throw new AppError('member_not_found');
    const change = { action: 'recovery_link_created', details: {} } as const;
    await auditPerson(transaction, { personId: person.id, at: now, actor }, change);
    return createLink(transaction, { kind: 'recovery', email: address, createdBy: actor, now });
  });
}

async function insertPerson(
  transaction: Transaction<Tables>,
  { email, name, passwordHash, isOperator }: NewPerson,
): Promise<string> {
  const id = newId('per');
  const row = await transaction
    .insertInto('person')
    .values({ id, email: email.toLowerCase(), name, email_verified: true, is_operator: isOperator })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('member_exists');
  await replacePassword(transaction, id, passwordHash);
  return id;
}

/** The second factor goes with the password: whoever recovers access has lost it too. */
async function replacePassword(
  transaction: Transaction<Tables>,
  personId: string,
  password: string,
): Promise<void> {
  await transaction
    .insertInto('person_account')
    .values({
      id: newId('per'),
      person_id: personId,
      provider_id: 'credential',
      account_id: personId,
      password,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password }))
    .execute();
  await transaction.deleteFrom('person_session').where('person_id', '=', personId).execute();
  await transaction.deleteFrom('person_two_factor').where('person_id', '=', personId).execute();
  await transaction
    .updateTable('person')
    .set({ two_factor_enabled: false })
    .where('id', '=', personId)
    .execute();
}

interface Joining {
  readonly link: MemberLink;
  readonly personId: string;
  readonly now: Date;
}

/** Also writes an audit entry for each workspace that the person can now see. */
async function joinByLink(transaction: Transaction<Tables>, { link, personId, now }: Joining): Promise<void> {
  const { ownerId, role } = link;
  if (ownerId === null || role === null) return;
  const workspaceIds = link.workspaceIds === null ? null : [...link.workspaceIds];
  await transaction
    .insertInto('membership')
    .values({ person_id: personId, owner_id: ownerId, role, workspace_ids: workspaceIds, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'owner_id']).doUpdateSet({ role, workspace_ids: workspaceIds }),
    )
    .execute();
  const workspaces = await transaction
    .selectFrom('workspace')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of workspaces) {
    if (workspaceIds !== null && !workspaceIds.includes(id)) continue;
    const change = { id: null, workspaceId: id, actor: link.createdBy, at: now };
    await writeAuditEntries(transaction, change, [
      { action: 'member_joined', details: { person: personId, role } },
    ]);
  }
}
