import type { Kysely, Transaction } from 'kysely';
import { writeAuditEntries, writeOwnerAudit } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { DEMO_WORKSPACE_SETTING } from '../workspaces/workspaces.ts';
import { freeUnprovenAddress, isDomainProven } from './identity/domain-proofs.ts';
import {
  endFirstLinks,
  endRecoveryLinks,
  linkFromRow,
  type MemberLink,
  readLink,
  redeemLink,
} from './member-links.ts';
import type { Identity } from './provider-sign-in.ts';
import { replacePassword } from './recovery.ts';
import type { SignIn } from './sign-in.ts';
import { domainOf, type SignInProvider } from './sign-in-providers.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly signIn: Pick<SignIn, 'hashPassword'>;
}

interface NewPerson {
  readonly email: string;
  readonly name: string;
  /** Null: they sign in at a provider. */
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
}

/** The fields of the page that a link opens. */
interface Entry {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/**
 * Makes the first person of an installation: its operator, and the owner of the workspaces that the link names and of the
 * demo workspace. Throws
 * `link_expired`, also once anybody can sign in, and `weak_password`.
 */
export async function beginInstallation(
  { database, clock, signIn }: Dependencies,
  { token, name, email, password }: Entry & { readonly email: string },
): Promise<void> {
  await readLink(database, { kind: 'begin', token, now: clock.now() });
  const passwordHash = await signIn.hashPassword(password, email);
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    // Another person who joins at the same moment ends the link, so one of the two waits here.
    const link = await redeemLink(transaction, { kind: 'begin', token, now });
    const somebody = await transaction.selectFrom('person').select('id').limit(1).executeTakeFirst();
    if (somebody !== undefined) throw new AppError('link_expired');
    const personId = await insertPerson(transaction, { email, name, passwordHash, isOperator: true });
    await joinByLink(transaction, { link, personId, now });
    const demo = await findDemoOwner(transaction);
    if (demo === null || demo === link.ownerId) return;
    const access = { ownerId: demo, role: 'owner' as const, workspaceIds: null, createdBy: link.createdBy };
    await joinByLink(transaction, { link: access, personId, now });
  });
}

/** The demo belongs to an owner of its own. Null if it was never made, or is deleted. */
async function findDemoOwner(transaction: Transaction<Tables>): Promise<string | null> {
  const row = await transaction
    .selectFrom('setting')
    .innerJoin('workspace', 'workspace.id', 'setting.value')
    .select('owner_id')
    .where('setting.name', '=', DEMO_WORKSPACE_SETTING)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.owner_id ?? null;
}

/**
 * Makes the invited address a person and a member. Throws `link_expired`, `weak_password`, and `member_exists` if the person
 * exists: they sign in and accept the invitation as themselves.
 */
export async function acceptInvitation(
  { database, clock, signIn }: Dependencies,
  { token, name, password }: Entry,
): Promise<{ readonly email: string }> {
  const { email, ownerId } = await readInvitation(database, { token, now: clock.now() });
  const provider = await findRequiredProvider(database, ownerId);
  if (provider !== null) throw new AppError('sign_in_with_provider', { detail: `Sign in with ${provider}.` });
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
    await transaction
      .updateTable('person')
      .set({ email_verified: true })
      .where('id', '=', person.id)
      .execute();
  });
}

/**
 * Returns the person whom a provider has named. A new person joins its owner, with the role of their invitation or the default
 * one. A person with an account here is recognised by their address only as a member of that owner. Throws
 * `provider_sign_in_failed`.
 */
export async function joinByProvider(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  { provider, identity }: { readonly provider: SignInProvider; readonly identity: Identity },
): Promise<{ readonly personId: string }> {
  const now = clock.now();
  const { ownerId } = provider;
  return database.transaction().execute(async (transaction) => {
    const isProven = await isDomainProven(transaction, { ownerId, domain: domainOf(identity.email) });
    const known = await findIdentity(transaction, provider, identity);
    if (!isProven && known?.isLinked !== true) {
      throw refuse(
        `${domainOf(identity.email)} is not proven yet. An owner can prove it in the settings of the sign-in.`,
      );
    }
    const isMember = known !== null && (await hasMembership(transaction, known.personId, ownerId));
    if (known !== null && !isMember && !known.isLinked) {
      throw refuse(
        `${identity.email} has an account here and is no member. Sign in with your password, then accept an invitation.`,
      );
    }
    const invitation = isMember ? null : await redeemInvitation(transaction, { ownerId, now, identity });
    if (known !== null && !isMember && invitation === null) {
      throw refuse(`${identity.email} is no member any more. Ask an owner for an invitation.`);
    }
    const { email, name } = identity;
    const personId =
      known?.personId ??
      (await insertPerson(transaction, { email, name, passwordHash: null, isOperator: false }));
    if (known?.isLinked !== true) {
      await transaction
        .insertInto('person_account')
        .values({
          id: newId('per'),
          person_id: personId,
          provider_id: provider.id,
          account_id: identity.subject,
        })
        .execute();
    }
    if (!isMember) {
      const access = invitation ?? {
        role: provider.defaultRole,
        workspaceIds: null,
        createdBy: provider.name,
      };
      await joinByLink(transaction, { link: { ...access, ownerId }, personId, now });
    }
    const actor = { id: personId, name: known?.name ?? name };
    const entry = { ownerIds: [ownerId], actor, at: now };
    const details = { person: personId, by: 'provider' };
    await writeOwnerAudit(transaction, entry, { action: 'signed_in', details });
    return { personId };
  });
}

interface KnownPerson {
  readonly personId: string;
  readonly name: string;
  /** Whether they signed in at this provider before. */
  readonly isLinked: boolean;
}

async function findIdentity(
  transaction: Transaction<Tables>,
  { id }: SignInProvider,
  { subject, email }: Identity,
): Promise<KnownPerson | null> {
  const linked = await transaction
    .selectFrom('person_account')
    .innerJoin('person', 'person.id', 'person_account.person_id')
    .select(['person.id', 'name'])
    .where('provider_id', '=', id)
    .where('account_id', '=', subject)
    .executeTakeFirst();
  if (linked !== undefined) return { personId: linked.id, name: linked.name, isLinked: true };
  const row = await transaction
    .selectFrom('person')
    .select(['id', 'name'])
    .where('email', '=', email)
    .where('email_verified', '=', true)
    .executeTakeFirst();
  return row === undefined ? null : { personId: row.id, name: row.name, isLinked: false };
}

async function hasMembership(
  transaction: Transaction<Tables>,
  personId: string,
  ownerId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('membership')
    .select('role')
    .where('person_id', '=', personId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return row !== undefined;
}

interface Invited {
  readonly ownerId: string;
  readonly identity: Identity;
  readonly now: Date;
}

/** Uses the open invitation of an address, if there is one. */
async function redeemInvitation(
  transaction: Transaction<Tables>,
  { ownerId, identity, now }: Invited,
): Promise<MemberLink | null> {
  const row = await transaction
    .updateTable('member_link')
    .set({ used_at: now })
    .where('kind', '=', 'invitation')
    .where('owner_id', '=', ownerId)
    .where('email', '=', identity.email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await endRecoveryLinks(transaction, identity.email);
  return linkFromRow(row);
}

function refuse(detail: string): AppError {
  return new AppError('provider_sign_in_failed', { detail });
}

/** Returns the name of the provider at which the members of an owner must sign in. Null: they choose a password. */
export async function findRequiredProvider(
  database: Kysely<Tables>,
  ownerId: string | null,
): Promise<string | null> {
  const row = await database
    .selectFrom('sign_in_provider')
    .select('name')
    .where('owner_id', '=', ownerId)
    .where('required', '=', true)
    .executeTakeFirst();
  return row?.name ?? null;
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

async function insertPerson(
  transaction: Transaction<Tables>,
  { email, name, passwordHash, isOperator }: NewPerson,
): Promise<string> {
  const id = newId('per');
  await freeUnprovenAddress(transaction, email.toLowerCase());
  const row = await transaction
    .insertInto('person')
    .values({ id, email: email.toLowerCase(), name, email_verified: true, is_operator: isOperator })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('member_exists');
  await endFirstLinks(transaction);
  if (passwordHash !== null) await replacePassword(transaction, id, passwordHash);
  return id;
}

interface Joining {
  readonly link: Pick<MemberLink, 'ownerId' | 'role' | 'workspaceIds' | 'createdBy'>;
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
    .where('staging_for', 'is', null)
    .execute();
  const actor = await transaction
    .selectFrom('person')
    .select(['id', 'name'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  for (const { id } of workspaces) {
    if (workspaceIds !== null && !workspaceIds.includes(id)) continue;
    const change = { id: null, workspaceId: id, actor, at: now };
    await writeAuditEntries(transaction, change, [
      { action: 'member_joined', details: { person: personId, role } },
    ]);
  }
}
