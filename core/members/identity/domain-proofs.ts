import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { violatesConstraint } from '../../storage/sql-errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';

export const domainFaultSchema = z.enum(['no_record', 'other_record', 'unreachable']);

/** A domain that an owner claims for the sign-in at their provider. It counts once a DNS record of the domain has proven it. */
export interface DomainProof {
  readonly domain: string;
  /** The TXT record to add to the domain. */
  readonly record: { readonly name: string; readonly value: string };
  readonly claimedAt: Date;
  readonly claimedBy: string;
  /** Null: pending. */
  readonly verifiedAt: Date | null;
  readonly verifiedBy: string | null;
  readonly checkedAt: Date | null;
  /** Why the last check found no proof. */
  readonly fault: z.output<typeof domainFaultSchema> | null;
}

/** Reads the TXT records of a name; each record is a list of strings, as DNS has them. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** Asks the DNS servers of this machine, for a few seconds at most. */
export const resolveTxt: ResolveTxt = (name) => new Resolver({ timeout: 3_000, tries: 2 }).resolveTxt(name);

/** Domains at which strangers get addresses, so that no owner can claim them. */
const PUBLIC_MAIL_DOMAINS = new Set(
  `aol.com fastmail.com free.fr gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com
   icloud.com laposte.net libero.it live.com mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com orange.fr
   outlook.com outlook.de pm.me posteo.de proton.me protonmail.com qq.com t-online.de tutanota.com web.de yahoo.com
   yahoo.de yandex.com yandex.ru ymail.com zoho.com 126.com 163.com`
    .split(/\s+/)
    .filter((domain) => domain !== ''),
);

interface Claim {
  readonly ownerId: string;
  readonly domains: readonly string[];
  readonly by: string;
  readonly now: Date;
}

/**
 * Makes these the domains that an owner claims: new ones are pending, and those that are left out are released. Throws
 * `domain_not_claimable`, and `domain_taken` if another owner has proven a new one.
 */
export async function claimDomains(
  transaction: Transaction<Tables>,
  { ownerId, domains, by, now }: Claim,
): Promise<void> {
  const known = await transaction
    .selectFrom('sign_in_domain')
    .select('domain')
    .where('owner_id', '=', ownerId)
    .execute();
  const claimed = new Set(known.map(({ domain }) => domain));
  await transaction
    .deleteFrom('sign_in_domain')
    .where('owner_id', '=', ownerId)
    .where('domain', 'not in', [...domains])
    .execute();
  for (const domain of domains.filter((each) => !claimed.has(each))) {
    await assertClaimable(transaction, { ownerId, domain });
    const token = `parley-${randomBytes(18).toString('base64url')}`;
    await transaction
      .insertInto('sign_in_domain')
      .values({ owner_id: ownerId, domain, token, claimed_at: now, claimed_by: by })
      .execute();
  }
}

/** Releases all domains of an owner. */
export async function releaseDomains(transaction: Transaction<Tables>, ownerId: string): Promise<void> {
  await transaction.deleteFrom('sign_in_domain').where('owner_id', '=', ownerId).execute();
}

async function assertClaimable(database: Kysely<Tables>, { ownerId, domain }: Domain): Promise<void> {
  if (PUBLIC_MAIL_DOMAINS.has(domain)) throw new AppError('domain_not_claimable');
  const taken = await database
    .selectFrom('sign_in_domain')
    .select('owner_id')
    .where('domain', '=', domain)
    .where('owner_id', '!=', ownerId)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  if (taken !== undefined) throw new AppError('domain_taken');
}

interface Domain {
  readonly ownerId: string;
  readonly domain: string;
}

/** Returns the domains that an owner claims, by name. */
export async function listDomainProofs(
  database: Kysely<Tables>,
  ownerId: string,
): Promise<readonly DomainProof[]> {
  const rows = await database
    .selectFrom('sign_in_domain')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('domain')
    .execute();
  return rows.map(proofFromRow);
}

/** Returns true if an owner has proven the domain. */
export async function isDomainProven(
  database: Kysely<Tables>,
  { ownerId, domain }: Domain,
): Promise<boolean> {
  const row = await database
    .selectFrom('sign_in_domain')
    .select('domain')
    .where('owner_id', '=', ownerId)
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

interface Check extends Domain {
  readonly by: string;
  readonly now: Date;
  /** Runs in the transaction in which the domain becomes proven. */
  readonly onProven: (transaction: Transaction<Tables>) => Promise<void>;
}

/**
 * Looks for the record of a claimed domain, and stores what it found. The first owner who proves a domain keeps it until they
 * release it. Throws `domain_not_found`, `domain_not_claimable` and `domain_taken`.
 */
export async function checkDomain(
  { database, resolve }: { readonly database: Kysely<Tables>; readonly resolve: ResolveTxt },
  { ownerId, domain, by, now, onProven }: Check,
): Promise<void> {
  const claim = await database
    .selectFrom('sign_in_domain')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (claim === undefined) throw new AppError('domain_not_found');
  if (claim.verified_at !== null) return;
  await assertClaimable(database, { ownerId, domain });
  const fault = await findFault(resolve, proofFromRow(claim).record);
  const found = fault === null ? { verified_at: now, verified_by: by } : {};
  const store = async (transaction: Transaction<Tables>) => {
    // The claim may have been released meanwhile, and made again with another token.
    const row = await transaction
      .updateTable('sign_in_domain')
      .set({ checked_at: now, fault, ...found })
      .where('owner_id', '=', ownerId)
      .where('domain', '=', domain)
      .where('token', '=', claim.token)
      .where('verified_at', 'is', null)
      .returning('domain')
      .executeTakeFirst();
    if (row === undefined || fault !== null) return;
    await proveMembers(transaction, { ownerId, domain });
    await onProven(transaction);
  };
  await database
    .transaction()
    .execute(store)
    .catch((error: unknown) => {
      throw violatesConstraint(error, 'sign_in_domain_proven') ? new AppError('domain_taken') : error;
    });
}

/** The owner may now speak for the addresses of their members at the domain. */
async function proveMembers(transaction: Transaction<Tables>, { ownerId, domain }: Domain): Promise<void> {
  await transaction
    .updateTable('person')
    .set({ email_verified: true })
    .where('email_verified', '=', false)
    .where(sql<boolean>`split_part(email, '@', 2) = ${domain}`)
    .where('id', 'in', (select) =>
      select.selectFrom('membership').select('person_id').where('owner_id', '=', ownerId),
    )
    .execute();
}

async function findFault(
  resolve: ResolveTxt,
  { name, value }: DomainProof['record'],
): Promise<DomainProof['fault']> {
  try {
    const records = await resolve(name);
    if (records.some((strings) => strings.join('').trim() === value)) return null;
    return records.length === 0 ? 'no_record' : 'other_record';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'no_record' : 'unreachable';
  }
}

/** An address of a person that nobody has proven: they came through a provider whose owner has not proven the domain. */
const isUnproven = sql<boolean>`not person.email_verified
  and not exists (
    select from person_account where person_id = person.id and provider_id = 'credential' and password is not null
  )
  and not exists (select from person_passkey where person_id = person.id)`;

/** Returns true if somebody has the address, and has more than the word of an unproven provider for it. */
export async function isAddressHeld(database: Kysely<Tables>, email: string): Promise<boolean> {
  const row = await database
    .selectFrom('person')
    .select('id')
    .where('email', '=', email)
    .where(sql<boolean>`not (${isUnproven})`)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes an address from a person who has only the word of an unproven provider for it, so that it blocks nobody who has more.
 * They keep their account and their way in, which is the id at their provider, under an address that no mail reaches.
 */
export async function freeUnprovenAddress(transaction: Transaction<Tables>, email: string): Promise<void> {
  await transaction
    .updateTable('person')
    .set({ email: sql`person.id || '@unproven.invalid'` })
    .where('email', '=', email)
    .where(isUnproven)
    .execute();
}

function proofFromRow(row: Selectable<Tables['sign_in_domain']>): DomainProof {
  return {
    domain: row.domain,
    record: { name: `_parley.${row.domain}`, value: row.token },
    claimedAt: row.claimed_at,
    claimedBy: row.claimed_by,
    verifiedAt: row.verified_at,
    verifiedBy: row.verified_by,
    checkedAt: row.checked_at,
    fault: domainFaultSchema.nullable().parse(row.fault),
  };
}
