import type { Kysely, Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { type AuditChange, auditWorkspace, writeOwnerAudit } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Actor } from '../contract/actor.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { OwnerAuthority } from './authority.ts';
import {
  checkDomain,
  claimDomains,
  type DomainProof,
  listDomainProofs,
  type ResolveTxt,
  releaseDomains,
} from './identity/domain-proofs.ts';

/** The roles that a first sign-in can give. Owners are made by owners. */
export const defaultRoleSchema = z.enum(['agent', 'viewer']);

/** The identity provider (OpenID Connect) of an owner, without its secret. */
export interface SignInProvider {
  readonly id: string;
  readonly ownerId: string;
  /** The name on the button of the sign-in page. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly domains: readonly string[];
  /** Whether an address counts that the provider does not say anything about. */
  readonly trustsAddresses: boolean;
  readonly defaultRole: z.output<typeof defaultRoleSchema>;
  readonly isEnabled: boolean;
  /** Whether members must sign in this way. */
  readonly isRequired: boolean;
  readonly testedAt: Date | null;
  /** The address that signed in with the last test. */
  readonly testedAs: string | null;
  /** The reason why the last test failed. */
  readonly testFault: string | null;
}

export interface ProviderChange
  extends Pick<
    SignInProvider,
    | 'name'
    | 'issuer'
    | 'clientId'
    | 'domains'
    | 'trustsAddresses'
    | 'defaultRole'
    | 'isEnabled'
    | 'isRequired'
  > {
  /** Absent: the stored one. */
  readonly clientSecret?: string | undefined;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly resolveTxt: ResolveTxt;
}

type Row = Selectable<Tables['sign_in_provider']>;

/** Stores the identity providers of owners. */
export class SignInProviders {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  async find(ownerId: string): Promise<SignInProvider | null> {
    const row = await this.#findRow(this.#dependencies.database, ownerId);
    return row === undefined ? null : providerFromRow(row);
  }

  /** Returns the provider with its secret. Throws `sign_in_provider_not_found`. */
  async open(ownerId: string): Promise<{ readonly provider: SignInProvider; readonly clientSecret: string }> {
    const { database, secretBox } = this.#dependencies;
    const row = await this.#findRow(database, ownerId);
    if (row === undefined) throw new AppError('sign_in_provider_not_found');
    const clientSecret = secretBox.open(row.client_secret_encrypted, placeOf(row.id));
    return { provider: providerFromRow(row), clientSecret };
  }

  /** Returns the provider that is offered to addresses at a domain: that of the owner who has proven it. Null if there is none. */
  async findForDomain(name: string): Promise<Pick<SignInProvider, 'ownerId' | 'name'> | null> {
    const row = await this.#dependencies.database
      .selectFrom('sign_in_provider')
      .innerJoin('sign_in_domain', 'sign_in_domain.owner_id', 'sign_in_provider.owner_id')
      .select(['sign_in_provider.owner_id', 'name'])
      .where('enabled', '=', true)
      .where('domain', '=', name.trim().toLowerCase())
      .where('verified_at', 'is not', null)
      .executeTakeFirst();
    return row === undefined ? null : { ownerId: row.owner_id, name: row.name };
  }

  /** Returns the domains that an owner claims. */
  async listDomains(ownerId: string): Promise<readonly DomainProof[]> {
    return listDomainProofs(this.#dependencies.database, ownerId);
  }

  /** Looks for the DNS record of a domain. Throws `domain_not_found`, `domain_not_claimable` and `domain_taken`. */
  async checkDomain(authority: OwnerAuthority, domain: string): Promise<void> {
    const { database, clock, resolveTxt: resolve } = this.#dependencies;
    const change = { action: 'sign_in_domain_verified', details: { domain } } as const;
    await checkDomain(
      { database, resolve },
      {
        ...{ ownerId: authority.scope.ownerId, domain, by: authority.actor.name, now: clock.now() },
        onProven: (transaction) => this.#audit(transaction, authority, change),
      },
    );
  }

  /**
   * Creates or changes the provider of an owner. Another issuer, client or secret has to be tested again before it can be
   * required. Throws `invalid_client_secret`, `credentials_required`, `sign_in_untested`, `no_emergency_exit`,
   * `domain_not_claimable` and `domain_taken`.
   */
  async save(authority: OwnerAuthority, change: ProviderChange): Promise<SignInProvider> {
    const { database } = this.#dependencies;
    const { scope } = authority;
    return database.transaction().execute(async (transaction) => {
      const before = await this.#findRow(transaction, scope.ownerId, 'locked');
      const values = this.#plan(before, change);
      if (values.required && before?.required !== true) await assertEmergencyExit(transaction, scope.ownerId);
      const row = await transaction
        .insertInto('sign_in_provider')
        .values({ ...values, owner_id: scope.ownerId, created_at: values.updated_at })
        .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      const { domains } = change;
      await claimDomains(transaction, {
        ownerId: scope.ownerId,
        domains,
        by: authority.actor.name,
        now: values.updated_at,
      });
      const isOther = isOtherProvider(before, change);
      // The people of another issuer are other people, even where their ids are the same.
      if (isOther) await forgetIdentities(transaction, row.id);
      if (isOther || !change.isEnabled) await endProviderSessions(transaction, scope.ownerId);
      await this.#auditChange(transaction, authority, {
        required: row.required,
        fields: changedNames(before, row, change.clientSecret !== undefined),
      });
      return providerFromRow(row);
    });
  }

  /** Throws `invalid_client_secret` without a secret, and `sign_in_untested`. */
  #plan(before: Row | undefined, change: ProviderChange) {
    const { clientSecret } = change;
    const id = before?.id ?? newId('idp');
    const sealed =
      clientSecret === undefined
        ? before?.client_secret_encrypted
        : this.#dependencies.secretBox.seal(clientSecret, placeOf(id));
    if (sealed === undefined) throw new AppError('invalid_client_secret');
    if (before !== undefined && before.issuer !== change.issuer && clientSecret === undefined) {
      throw new AppError('credentials_required', {
        detail:
          'The issuer is a new one, and the stored client_secret is not sent there. Send client_secret again.',
      });
    }
    const isNew = isOtherProvider(before, change) || clientSecret !== undefined;
    const tested = isNew ? null : (before?.tested_at ?? null);
    const isWanted = change.isRequired && change.isEnabled;
    if (isWanted && tested === null && before?.required !== true) throw new AppError('sign_in_untested');
    return {
      id,
      name: change.name,
      issuer: change.issuer,
      client_id: change.clientId,
      client_secret_encrypted: sealed,
      domains: [...change.domains],
      trusts_addresses: change.trustsAddresses,
      default_role: change.defaultRole,
      enabled: change.isEnabled,
      // An untested provider could lock everybody out, so new credentials end the requirement.
      required: isWanted && tested !== null,
      tested_at: tested,
      ...(tested === null && { tested_as: null, test_fault: null }),
      updated_at: this.#dependencies.clock.now(),
    };
  }

  async #auditChange(
    transaction: Transaction<Tables>,
    authority: OwnerAuthority,
    { fields, required }: { readonly fields: readonly string[]; readonly required: boolean },
  ): Promise<void> {
    if (fields.length === 0) return;
    const details = { fields, ...(fields.includes('required') && { required }) };
    await this.#audit(transaction, authority, { action: 'sign_in_provider_changed', details });
  }

  /** Removes the provider and ends its sessions. Throws `sign_in_provider_not_found`. */
  async remove(authority: OwnerAuthority): Promise<void> {
    await this.#dependencies.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .deleteFrom('sign_in_provider')
        .where('owner_id', '=', authority.scope.ownerId)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) throw new AppError('sign_in_provider_not_found');
      await forgetIdentities(transaction, row.id);
      await releaseDomains(transaction, authority.scope.ownerId);
      await endProviderSessions(transaction, authority.scope.ownerId);
      await this.#audit(transaction, authority, { action: 'sign_in_provider_removed', details: {} });
    });
  }

  /**
   * Records a test of the provider: who signed in, or why nobody could. It records nothing if the tested settings are
   * no longer the current ones.
   */
  async recordTest(
    { id, ownerId, issuer, clientId }: SignInProvider,
    { actor, startedAt, as, fault }: TestOutcome,
  ): Promise<void> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    await database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('sign_in_provider')
        .set(fault === null ? { tested_at: at, tested_as: as, test_fault: null } : { test_fault: fault })
        .where('id', '=', id)
        .where('issuer', '=', issuer)
        .where('client_id', '=', clientId)
        .where('updated_at', '<=', startedAt)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) return;
      const change = { action: 'sign_in_provider_tested', details: { passed: fault === null } } as const;
      await writeOwnerAudit(transaction, { ownerIds: [ownerId], actor, at }, change);
    });
  }

  async #findRow(database: Kysely<Tables>, ownerId: string, lock?: 'locked'): Promise<Row | undefined> {
    const query = database.selectFrom('sign_in_provider').selectAll().where('owner_id', '=', ownerId);
    return (lock === undefined ? query : query.forUpdate()).executeTakeFirst();
  }

  async #audit(
    transaction: Transaction<Tables>,
    { scope: { workspaceId }, actor }: OwnerAuthority,
    change: AuditChange,
  ): Promise<void> {
    await auditWorkspace(transaction, {
      workspaceId,
      actor,
      at: this.#dependencies.clock.now(),
      ...change,
    });
  }
}

interface TestOutcome {
  readonly actor: Actor;
  readonly startedAt: Date;
  readonly as: string | null;
  readonly fault: string | null;
}

/** The part of an address after its last `@`, in lower case. */
export function domainOf(email: string): string {
  const at = email.lastIndexOf('@');
  return at === -1
    ? ''
    : email
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

/** Throws `no_emergency_exit` unless an owner can still sign in when the provider is down. */
async function assertEmergencyExit(transaction: Transaction<Tables>, ownerId: string): Promise<void> {
  const row = await transaction
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select('person.id')
    .where('owner_id', '=', ownerId)
    .where('role', '=', 'owner')
    .where('workspace_ids', 'is', null)
    .where((where) =>
      where.or([
        where('two_factor_enabled', '=', true),
        where.exists(
          where
            .selectFrom('person_passkey')
            .select('person_passkey.id')
            .whereRef('person_passkey.person_id', '=', 'person.id'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('no_emergency_exit');
}

async function forgetIdentities(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction.deleteFrom('person_account').where('provider_id', '=', id).execute();
}

async function endProviderSessions(transaction: Transaction<Tables>, ownerId: string): Promise<void> {
  await transaction.deleteFrom('person_session').where('owner_id', '=', ownerId).execute();
}

function isOtherProvider(before: Row | undefined, { issuer, clientId }: ProviderChange): boolean {
  return before?.issuer !== issuer || before.client_id !== clientId;
}

/** Names of what changed, for the audit log. */
function changedNames(before: Row | undefined, after: Row, hasNewSecret: boolean): readonly string[] {
  const names = [
    'name',
    'issuer',
    'client_id',
    'domains',
    'trusts_addresses',
    'default_role',
    'enabled',
    'required',
  ] as const satisfies readonly (keyof Row)[];
  const changed = names.filter((name) => String(before?.[name]) !== String(after[name]));
  return hasNewSecret ? [...changed, 'client_secret'] : changed;
}

function placeOf(id: string) {
  return { table: 'sign_in_provider', column: 'client_secret_encrypted', id } as const;
}

function providerFromRow(row: Row): SignInProvider {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    domains: row.domains,
    trustsAddresses: row.trusts_addresses,
    defaultRole: defaultRoleSchema.parse(row.default_role),
    isEnabled: row.enabled,
    isRequired: row.required,
    testedAt: row.tested_at,
    testedAs: row.tested_as,
    testFault: row.test_fault,
  };
}
