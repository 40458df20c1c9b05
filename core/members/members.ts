import type { Kysely, Selectable, Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Membership, memberRoleSchema, type OwnerAuthority } from './authority.ts';
import { createLink, endFirstLinks, type MemberLink } from './member-links.ts';
import {
  type NotificationChoice,
  notificationSchema,
  type OwnKeys,
  ownKeysSchema,
  type ProfileChange,
  profileColumns,
  type Theme,
  themeSchema,
} from './profile.ts';
import { auditPerson } from './sign-in-audit.ts';

/** A person who can sign in to the dashboard. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  /** Null: the language of the browser. */
  readonly language: string | null;
  readonly timeZone: string | null;
  readonly theme: Theme;
  readonly keysEnabled: boolean;
  readonly twoFactorEnabled: boolean;
  readonly notifications: NotificationChoice;
  /** The keys that the person chose, by action; null for none. */
  readonly ownKeys: OwnKeys;
  /** Whether they are mailed about mentions and assigned conversations that they have not seen. */
  readonly emailDigest: boolean;
}

/** A person as the other members see them. */
export interface Member extends Membership {
  readonly person: Person;
  readonly createdAt: Date;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Manages the people of an installation: their profiles and their roles. */
export class Members {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns true if nobody can sign in yet. */
  async isEmpty(): Promise<boolean> {
    const row = await this.#dependencies.database
      .selectFrom('person')
      .select('id')
      .limit(1)
      .executeTakeFirst();
    return row === undefined;
  }

  /** Creates the link for the first person, the operator. `ownerId` is the owner of the workspaces they own, if there are any. */
  async createFirstLink(ownerId: string | undefined): Promise<{ link: MemberLink; token: string }> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      await endFirstLinks(transaction);
      const role = ownerId === undefined ? undefined : 'owner';
      return createLink(transaction, {
        kind: 'begin',
        ownerId,
        role,
        createdBy: 'operator',
        now: clock.now(),
      });
    });
  }

  /** Null if the person does not exist, or no longer. */
  async findPerson(id: string): Promise<{ person: Person; memberships: readonly Membership[] } | null> {
    const { database } = this.#dependencies;
    const row = await database.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) return null;
    const memberships = await database
      .selectFrom('membership')
      .leftJoin('sign_in_provider', 'sign_in_provider.owner_id', 'membership.owner_id')
      .selectAll('membership')
      .select('required')
      .where('person_id', '=', id)
      .orderBy('membership.created_at')
      .execute();
    return { person: personFromRow(row), memberships: memberships.map(membershipFromRow) };
  }

  async findByEmail(email: string): Promise<Person | null> {
    const row = await this.#dependencies.database
      .selectFrom('person')
      .selectAll()
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    return row === undefined ? null : personFromRow(row);
  }

  /** Returns false for a person who signs in with a passkey or at a provider only. */
  async hasPassword(id: string): Promise<boolean> {
    const row = await this.#dependencies.database
      .selectFrom('person_account')
      .select('id')
      .where('person_id', '=', id)
      .where('provider_id', '=', 'credential')
      .where('password', 'is not', null)
      .executeTakeFirst();
    return row !== undefined;
  }

  async hasPasskey(id: string): Promise<boolean> {
    const row = await this.#dependencies.database
      .selectFrom('person_passkey')
      .select('id')
      .where('person_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async updateProfile(id: string, change: ProfileChange): Promise<Person> {
    const { database, clock } = this.#dependencies;
    const row = await database
      .updateTable('person')
      .set({
        updated_at: clock.now(),
        ...profileColumns(change),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('member_not_found');
    return personFromRow(row);
  }

  /** Returns everybody who can sign in, by address. */
  async listPersons(): Promise<readonly { person: Person; memberships: readonly Membership[] }[]> {
    const { database } = this.#dependencies;
    const persons = await database.selectFrom('person').selectAll().orderBy('email').execute();
    const memberships = await database.selectFrom('membership').selectAll().orderBy('created_at').execute();
    return persons.map((row) => ({
      person: personFromRow(row),
      memberships: memberships.filter(({ person_id }) => person_id === row.id).map(membershipFromRow),
    }));
  }

  /** Deletes a person with all that they may do. Throws `member_not_found`, and `last_owner` if an owner would have nobody. */
  async removePerson(id: string, actor: Actor): Promise<void> {
    const { database, clock } = this.#dependencies;
    await database.transaction().execute(async (transaction) => {
      const owners = await transaction
        .selectFrom('membership')
        .select('owner_id')
        .where('person_id', '=', id)
        .orderBy('owner_id')
        .execute();
      for (const { owner_id } of owners) {
        const rows = await lockMemberships(transaction, owner_id);
        if (!hasOwner(rows.filter(({ person_id }) => person_id !== id))) throw new AppError('last_owner');
      }
      await auditPerson(
        transaction,
        { personId: id, at: clock.now(), actor },
        { action: 'person_removed', details: {} },
      );
      const deleted = await transaction.deleteFrom('person').where('id', '=', id).executeTakeFirst();
      if (deleted.numDeletedRows === 0n) throw new AppError('member_not_found');
    });
  }

  /** Returns the members of an owner, the first ones first. An owner has few members, so there are no pages. */
  async list({ scope: { ownerId } }: OwnerAuthority): Promise<readonly Member[]> {
    const rows = await this.#dependencies.database
      .selectFrom('membership')
      .innerJoin('person', 'person.id', 'membership.person_id')
      .selectAll('person')
      .select(['role', 'workspace_ids', 'owner_id', 'membership.created_at as joined_at'])
      .where('owner_id', '=', ownerId)
      .orderBy('membership.created_at')
      .orderBy('person.id')
      .execute();
    return rows.map((row) => ({
      ...membershipFromRow(row),
      person: personFromRow(row),
      createdAt: row.joined_at,
    }));
  }

  /** Throws `member_not_found`, and `last_owner` if no owner would be left. */
  async changeRole(
    authority: OwnerAuthority,
    personId: string,
    change: Pick<Membership, 'role' | 'workspaceIds'>,
  ): Promise<void> {
    await this.#change(authority, personId, async (transaction, current) => {
      await transaction
        .updateTable('membership')
        .set({
          role: change.role,
          workspace_ids: change.workspaceIds === null ? null : [...change.workspaceIds],
        })
        .where('owner_id', '=', authority.scope.ownerId)
        .where('person_id', '=', personId)
        .execute();
      return { action: 'member_changed', details: { person: personId, from: current.role, to: change.role } };
    });
  }

  /** Ends a membership and the person's sessions. Throws `member_not_found`, and `last_owner` if no owner would be left. */
  async remove(authority: OwnerAuthority, personId: string): Promise<void> {
    await this.#change(authority, personId, async (transaction, current) => {
      await transaction
        .deleteFrom('membership')
        .where('owner_id', '=', authority.scope.ownerId)
        .where('person_id', '=', personId)
        .execute();
      await transaction.deleteFrom('person_session').where('person_id', '=', personId).execute();
      return { action: 'member_removed', details: { person: personId, role: current.role } };
    });
  }

  async #change(
    authority: OwnerAuthority,
    personId: string,
    change: (transaction: Transaction<Tables>, current: Membership) => Promise<MemberChange>,
  ): Promise<void> {
    const { database, clock } = this.#dependencies;
    const { ownerId } = authority.scope;
    await database.transaction().execute(async (transaction) => {
      const rows = await lockMemberships(transaction, ownerId);
      const current = rows.find((row) => row.person_id === personId);
      if (current === undefined) throw new AppError('member_not_found');
      const made = await change(transaction, membershipFromRow(current));
      const owner = await transaction
        .selectFrom('membership')
        .select('person_id')
        .where('owner_id', '=', ownerId)
        .where('role', '=', 'owner')
        .where('workspace_ids', 'is', null)
        .limit(1)
        .executeTakeFirst();
      if (owner === undefined) throw new AppError('last_owner');
      await audit(transaction, authority, clock.now(), made);
    });
  }
}

/** All rows of an owner are locked, so that two owners cannot remove each other at the same time. */
function lockMemberships(transaction: Transaction<Tables>, ownerId: string) {
  return transaction
    .selectFrom('membership')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('person_id')
    .forUpdate()
    .execute();
}

function hasOwner(
  rows: readonly { readonly role: string; readonly workspace_ids: string[] | null }[],
): boolean {
  return rows.some(({ role, workspace_ids }) => role === 'owner' && workspace_ids === null);
}

interface MemberChange {
  readonly action: 'member_changed' | 'member_removed';
  readonly details: Readonly<Record<string, unknown>>;
}

async function audit(
  transaction: Kysely<Tables>,
  { scope: { workspaceId }, actor }: OwnerAuthority,
  at: Date,
  change: MemberChange,
): Promise<void> {
  await writeAuditEntries(transaction, { id: null, workspaceId, actor, at }, [change]);
}

interface MembershipRow
  extends Pick<Selectable<Tables['membership']>, 'owner_id' | 'role' | 'workspace_ids'> {
  readonly required?: boolean | null;
}

function membershipFromRow({ owner_id, role, workspace_ids, required }: MembershipRow): Membership {
  return {
    ownerId: owner_id,
    role: memberRoleSchema.parse(role),
    workspaceIds: workspace_ids,
    requiresProvider: required === true,
  };
}

type PersonRow = Omit<Selectable<Tables['person']>, 'created_at' | 'updated_at'>;

export function personFromRow(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: row.is_operator,
    language: row.language,
    timeZone: row.time_zone,
    theme: themeSchema.parse(row.theme),
    keysEnabled: row.keys_enabled,
    twoFactorEnabled: row.two_factor_enabled,
    notifications: notificationSchema.parse(row.notifications),
    ownKeys: ownKeysSchema.parse(row.own_keys),
    emailDigest: row.email_digest,
  };
}
