import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { auditWorkspace } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../contract/actor.ts';
import type { TaskContext } from '../../storage/maintenance-task.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import {
  type Correction,
  correctionSchema,
  setCorrection,
  type UsedCorrection,
} from '../../workspaces/correction.ts';
import { type Refit, refit } from './fit-correction.ts';
import { findJudgedAnswers } from './judged-answers.ts';

const share = z.number().nullable();

/** A correction as it is stored and shown. */
const refitSchema = z.object({
  correction: correctionSchema,
  judged: z.int(),
  ...{ before: z.number(), after: z.number(), helped: z.number() },
  ...{ lossBefore: z.number(), lossAfter: z.number(), isBetter: z.boolean() },
  bins: z.array(
    z.object({
      ...{ from: z.number(), to: z.number(), count: z.int() },
      ...{ before: share, after: share, helped: share },
    }),
  ),
}) satisfies z.ZodType<Refit>;

/** A correction that the owner may put in use. */
export interface CorrectionOffer extends Refit {
  readonly offeredAt: Date;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Returns the open offer of a workspace, or null. */
export async function findOffer(
  database: Kysely<Tables>,
  workspaceId: string,
): Promise<CorrectionOffer | null> {
  const row = await database
    .selectFrom('correction_offer')
    .select(['refit', 'offered_at'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (row === undefined || row.refit === null || row.offered_at === null) return null;
  return { ...refitSchema.parse(row.refit), offeredAt: row.offered_at };
}

interface FittedWorkspace {
  readonly id: string;
  /** The correction in use. */
  readonly correction: Correction | null;
}

/** Fits a correction to the judged answers of a workspace. Null if they are too few. Stores nothing. */
export async function fitWorkspace(
  { database, clock }: Dependencies,
  { id, correction }: FittedWorkspace,
): Promise<Refit | null> {
  return refit(await findJudgedAnswers(database, id, clock.now()), correction);
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** An owner who wants none now is left alone for longer. */
const DECLINED_MS = 4 * WEEK_MS;

interface StoredRefit {
  readonly workspaceId: string;
  /** Null, or one that is no better, closes an open offer. */
  readonly refit: Refit | null;
  readonly now: Date;
}

/** Stores a fit: an offer if it is better than the correction in use, in place of an open one. Returns whether it is. */
export async function storeOffer(
  database: Kysely<Tables>,
  { workspaceId, refit: fitted, now }: StoredRefit,
): Promise<boolean> {
  const isOffered = fitted?.isBetter === true;
  const columns = {
    due_at: new Date(now.getTime() + WEEK_MS),
    refit: isOffered ? JSON.stringify(fitted) : null,
    offered_at: isOffered ? now : null,
  };
  await database
    .insertInto('correction_offer')
    .values({ workspace_id: workspaceId, ...columns })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(columns))
    .execute();
  return isOffered;
}

/** Maintenance fits so many workspaces in a round of a minute: it reads their judged answers. */
const MOST_OF_ROUND = 10;

/** A task of maintenance: fits workspaces whose last fit is a week ago, and offers what is better to their owners. */
export async function offerCorrections({ transaction, now }: TaskContext): Promise<number> {
  const { rows } = await sql<{ id: string; correction: unknown }>`
    select workspace.id, workspace.correction from workspace
    left join correction_offer as offer on offer.workspace_id = workspace.id
    where workspace.deleted_at is null and workspace.staging_for is null and (offer.due_at is null or offer.due_at <= ${now})
    order by offer.due_at nulls first limit ${MOST_OF_ROUND}
  `.execute(transaction);
  const dependencies = { database: transaction, clock: { now: () => now } };
  for (const { id, correction } of rows) {
    const inUse = correctionSchema.nullable().parse(correction);
    const fitted = await fitWorkspace(dependencies, { id, correction: inUse });
    await storeOffer(transaction, { workspaceId: id, refit: fitted, now });
  }
  return rows.length;
}

interface CorrectionChange {
  readonly workspaceId: string;
  readonly actor: Actor;
}

interface ChosenOffer extends CorrectionChange {
  /** When the offer was made that the owner has seen. */
  readonly offeredAt: Date;
}

/** Puts the offered correction in use. Throws `correction_offer_not_found` if there is none, or another one by now. */
export async function acceptOffer(
  { database, clock }: Dependencies,
  { workspaceId, actor, offeredAt }: ChosenOffer,
): Promise<UsedCorrection> {
  return database.transaction().execute(async (transaction) => {
    const now = clock.now();
    const { correction, judged } = await lockOffer(transaction, { workspaceId, offeredAt });
    const used: UsedCorrection = { ...correction, judged, since: now.toISOString() };
    await closeOffer(transaction, { workspaceId, due: new Date(now.getTime() + WEEK_MS), isUsed: true });
    await setCorrection(transaction, workspaceId, used);
    await auditWorkspace(transaction, {
      ...{ workspaceId, actor, at: now, action: 'correction_used' },
      details: { judged },
    });
    return used;
  });
}

/** Closes the offer; the next one comes in four weeks at the earliest. Throws `correction_offer_not_found`. */
export async function declineOffer(
  { database, clock }: Dependencies,
  { workspaceId, actor, offeredAt }: ChosenOffer,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const now = clock.now();
    const { judged } = await lockOffer(transaction, { workspaceId, offeredAt });
    await closeOffer(transaction, { workspaceId, due: new Date(now.getTime() + DECLINED_MS), isUsed: false });
    await auditWorkspace(transaction, {
      ...{ workspaceId, actor, at: now, action: 'correction_declined' },
      details: { judged },
    });
  });
}

/** Takes the correction in use back, if there is one. An open offer compared itself with it, and is closed. */
export async function removeCorrection(
  { database, clock }: Dependencies,
  { workspaceId, actor }: CorrectionChange,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const now = clock.now();
    const removed = await sql<{ judged: number }>`
      select (correction ->> 'judged')::int as judged from workspace
      where id = ${workspaceId} and correction is not null for update
    `.execute(transaction);
    const [before] = removed.rows;
    if (before === undefined) return;
    await setCorrection(transaction, workspaceId, null);
    await closeOffer(transaction, { workspaceId, due: new Date(now.getTime() + DECLINED_MS), isUsed: true });
    await auditWorkspace(transaction, {
      ...{ workspaceId, actor, at: now, action: 'correction_removed' },
      details: { judged: before.judged },
    });
  });
}

async function lockOffer(
  transaction: Transaction<Tables>,
  { workspaceId, offeredAt }: Pick<ChosenOffer, 'workspaceId' | 'offeredAt'>,
): Promise<Refit> {
  // The workspace first, as taking a correction back does.
  await sql`select from workspace where id = ${workspaceId} for update`.execute(transaction);
  const offer = await findOffer(transaction, workspaceId);
  if (offer === null || offer.offeredAt.getTime() !== offeredAt.getTime())
    throw new AppError('correction_offer_not_found');
  return offer;
}

interface ClosedOffer {
  readonly workspaceId: string;
  /** When the next fit is due. */
  readonly due: Date;
  readonly isUsed: boolean;
}

async function closeOffer(
  transaction: Transaction<Tables>,
  { workspaceId, due, isUsed }: ClosedOffer,
): Promise<void> {
  const closed = { refit: null, offered_at: null, due_at: due };
  await transaction
    .updateTable('correction_offer')
    .set(isUsed ? { ...closed, was_used: true } : closed)
    .where('workspace_id', '=', workspaceId)
    .execute();
}
