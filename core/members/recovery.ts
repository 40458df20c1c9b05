import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Actor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { MemberLink } from './member-links.ts';
import { createLink, endRecoveryLinks, readLink, redeemLink } from './member-links.ts';
import type { SignIn } from './sign-in.ts';
import { auditPerson } from './sign-in-audit.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly signIn: Pick<SignIn, 'hashPassword'>;
}

/**
 * Sets a new password by a recovery link, ends the person's sessions and removes their second factor, unless the link came by
 * mail. Throws `link_expired` and `weak_password`.
 */
export async function recoverPerson(
  { database, clock, signIn }: Dependencies,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<{ readonly email: string; readonly lostSecondFactor: boolean }> {
  const { email } = await readLink(database, { kind: 'recovery', token, now: clock.now() });
  if (email === null) throw new AppError('link_expired');
  const passwordHash = await signIn.hashPassword(password, email);
  const lostSecondFactor = await database.transaction().execute(async (transaction) => {
    // This happens before the link is made, as with a newer one.
    const person = await lockPerson(transaction, email);
    const link = await redeemLink(transaction, { kind: 'recovery', token, now: clock.now() });
    if (person === null) throw new AppError('link_expired');
    await replacePassword(transaction, person.id, passwordHash);
    if (!link.keepsSecondFactor) await removeSecondFactor(transaction, person.id);
    const change = { action: 'password_changed', details: { by: 'recovery_link' } } as const;
    await auditPerson(transaction, { personId: person.id, at: clock.now() }, change);
    return person.two_factor_enabled && !link.keepsSecondFactor;
  });
  return { email, lostSecondFactor };
}

/** Two changes of the same person's links wait for each other. */
async function lockPerson(transaction: Transaction<Tables>, email: string) {
  const row = await transaction
    .selectFrom('person')
    .select(['id', 'name', 'two_factor_enabled'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

const NO_OWN_LINK =
  'Nobody makes a link for a new password for themselves. Change your password in your profile, or use "Forgot your password?".';

/**
 * Creates a link for a new password. Without an actor it is for the person themselves, by mail, and leaves their second factor.
 * It ends older ones, but a mailed one none that somebody else made: anybody can ask for the mail. Throws `member_not_found`, and
 * `permission_denied` for a link of a caller for themselves: it would replace their password and their second factor by nothing
 * but an open session.
 */
export async function createRecoveryLink(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  { email, actor }: { readonly email: string; readonly actor: Actor | null },
): Promise<{ readonly link: MemberLink; readonly token: string }> {
  const address = email.toLowerCase();
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    const person = await lockPerson(transaction, address);
    if (person === null) throw new AppError('member_not_found');
    if (actor?.id === person.id) throw new AppError('permission_denied', { detail: NO_OWN_LINK });
    const createdBy = actor ?? { id: person.id, name: person.name };
    const details = actor === null ? { by: 'mail' } : {};
    const change = { action: 'recovery_link_created', details } as const;
    await auditPerson(transaction, { personId: person.id, at: now, actor: createdBy }, change);
    const keepsSecondFactor = actor === null;
    await endRecoveryLinks(transaction, address, keepsSecondFactor ? { keepsSecondFactor } : {});
    return createLink(transaction, {
      kind: 'recovery',
      email: address,
      createdBy: createdBy.name,
      keepsSecondFactor,
      now,
    });
  });
}

/** Also ends the person's sessions. */
export async function replacePassword(
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
}

/** Removes the second factor of a person who lost it with the password. */
async function removeSecondFactor(transaction: Transaction<Tables>, personId: string): Promise<void> {
  await transaction.deleteFrom('person_two_factor').where('person_id', '=', personId).execute();
  await transaction
    .updateTable('person')
    .set({ two_factor_enabled: false })
    .where('id', '=', personId)
    .execute();
}
