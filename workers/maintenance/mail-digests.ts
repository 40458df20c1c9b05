import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Config } from '../../core/config.ts';
import type { Logger } from '../../core/log.ts';
import type { Mailer } from '../../core/members/mailer.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { type DigestItem, renderDigest } from './render-digest.ts';

export interface DigestDependencies {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
  readonly config: Pick<Config, 'PUBLIC_URL'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Returns null if the workspace has no way to send mail. */
  readonly findMailer: (workspaceId: string) => Promise<Mailer | null>;
}

const MINUTE_MS = 60_000;
/** Time to see it in the dashboard. */
const GRACE_MS = 10 * MINUTE_MS;
/** Between two mails to a person about a workspace. */
const PAUSE_MS = 30 * MINUTE_MS;
/** Older ones are no news: mail was not set up when they came. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS;
/** A slow mail server holds up the other work of the round no longer. */
const ROUND_MS = MINUTE_MS;

/**
 * Mails people about mentions, assigned conversations, and those that visitors opened again, if they have not seen them: one
 * mail for each person and workspace.
 * Sends nothing without PUBLIC_URL, and in workspaces without a mailer.
 */
export async function mailDigests(dependencies: DigestDependencies, signal: AbortSignal): Promise<void> {
  const { database, clock, config, log, findMailer } = dependencies;
  if (config.PUBLIC_URL === undefined) return;
  const start = clock.now();
  // By workspace, for this round. Null: there is none, or it failed.
  const mailers = new Map<string, Mailer | null>();
  for (const recipient of await findRecipients(database.kysely, start)) {
    if (signal.aborted || clock.now().getTime() - start.getTime() > ROUND_MS) return;
    const { workspaceId } = recipient;
    try {
      if (!mailers.has(workspaceId)) {
        mailers.set(workspaceId, null);
        mailers.set(workspaceId, await findMailer(workspaceId));
      }
      const mailer = mailers.get(workspaceId) ?? null;
      if (mailer === null) continue;
      if (!(await mailDigest(dependencies, { recipient, mailer, base: config.PUBLIC_URL }))) {
        mailers.set(workspaceId, null);
      }
    } catch (err) {
      log.error({ err, ...recipient }, 'digest not mailed');
    }
  }
}

interface Delivery {
  readonly recipient: Recipient;
  readonly mailer: Mailer;
  readonly base: string;
}

/**
 * Claims what is to be told, then mails it: a process that dies in between loses a digest, and none is sent twice. Returns
 * false if the mail server is out of order for now.
 */
async function mailDigest(
  { database, clock, log }: DigestDependencies,
  { recipient, mailer, base }: Delivery,
): Promise<boolean> {
  const claim = await claimDigest(database.kysely, recipient, clock.now());
  if (claim === null) return true;
  const fault = await mailer.send(renderDigest({ ...claim, base }));
  if (fault === null) {
    if (claim.faults > 0) await settle(database.kysely, claim, { faults: 0 });
    return true;
  }
  const faults = claim.faults + 1;
  const isRepeated = fault.isPassing && faults < MAX_TRIES;
  log.warn({ fault: fault.words, isRepeated, ...recipient }, 'digest not mailed');
  const pauseMs = faults * RETRY_MS;
  await settle(
    database.kysely,
    claim,
    isRepeated
      ? { faults, told_until: claim.toldBefore, next_at: new Date(clock.now().getTime() + pauseMs) }
      : { faults: 0 },
  );
  return !fault.isPassing;
}

/** With growing pauses, over most of an hour. Each try tells what is unread by then. */
const MAX_TRIES = 5;
const RETRY_MS = 5 * MINUTE_MS;

interface Recipient {
  readonly personId: string;
  readonly workspaceId: string;
}

async function findRecipients(database: Kysely<Tables>, now: Date): Promise<readonly Recipient[]> {
  const { rows } = await sql<{ person_id: string; workspace_id: string }>`
    select person_id, workspace_id from ${selectUntold(now)} group by person_id, workspace_id order by min(at)
  `.execute(database);
  return rows.map(({ person_id, workspace_id }) => ({ personId: person_id, workspaceId: workspace_id }));
}

interface Claim extends Recipient {
  readonly email: string;
  readonly language: string | null;
  readonly workspace: string;
  readonly items: readonly DigestItem[];
  readonly toldUntil: Date;
  /** The value that `toldUntil` replaced. */
  readonly toldBefore: Date;
  /** Mails that failed before this one. */
  readonly faults: number;
}

type UntoldRow = Omit<DigestItem, 'conversationId'> & {
  readonly conversation_id: string;
  readonly email: string;
  readonly language: string | null;
  readonly workspace: string;
};

/**
 * Marks what a person does not know yet as told, and returns it. Null if there is nothing any more, if another process
 * claimed it, or if the last mail is too recent.
 */
async function claimDigest(
  database: Kysely<Tables>,
  { personId, workspaceId }: Recipient,
  now: Date,
): Promise<Claim | null> {
  return database.transaction().execute(async (transaction) => {
    // The row is locked. A process that waited for it sees the next mail's time, and gets no row.
    const { rows: locked } = await sql<{ told_until: Date; faults: number }>`
      insert into mail_digest (person_id, workspace_id, told_until, next_at)
      values (${personId}, ${workspaceId}, ${oldest(now)}::timestamptz, ${now}::timestamptz)
      on conflict (person_id, workspace_id) do update set next_at = mail_digest.next_at
      where mail_digest.next_at <= ${now}::timestamptz
      returning told_until, faults
    `.execute(transaction);
    const [before] = locked;
    if (before === undefined) return null;
    const { rows } = await sql<UntoldRow>`
      select * from ${selectUntold(now)} where person_id = ${personId} and workspace_id = ${workspaceId} order by at
    `.execute(transaction);
    const [first] = rows;
    if (first === undefined) return null;
    const toldUntil = newest(now);
    await transaction
      .updateTable('mail_digest')
      .set({ told_until: toldUntil, next_at: new Date(now.getTime() + PAUSE_MS) })
      .where('person_id', '=', personId)
      .where('workspace_id', '=', workspaceId)
      .execute();
    const { email, language, workspace } = first;
    const items = rows.map(({ conversation_id, ...row }) => ({ ...row, conversationId: conversation_id }));
    return {
      ...{ personId, workspaceId, email, language, workspace, items, toldUntil },
      toldBefore: before.told_until,
      faults: before.faults,
    };
  });
}

/** Stores what became of a mail, unless a later one was claimed meanwhile. */
async function settle(
  database: Kysely<Tables>,
  { personId, workspaceId, toldUntil }: Claim,
  outcome: { readonly faults: number; readonly told_until?: Date; readonly next_at?: Date },
): Promise<void> {
  await database
    .updateTable('mail_digest')
    .set(outcome)
    .where('person_id', '=', personId)
    .where('workspace_id', '=', workspaceId)
    .where('told_until', '=', toldUntil)
    .execute();
}

const oldest = (now: Date) => new Date(now.getTime() - MAX_AGE_MS);
const newest = (now: Date) => new Date(now.getTime() - GRACE_MS);

/** Selects what people have not seen, may see, and can be told now, as `untold`. Snoozed conversations wait for nobody. */
function selectUntold(now: Date): RawBuilder<unknown> {
  const isDue = (at: RawBuilder<unknown>) =>
    sql`${at} > ${oldest(now)}::timestamptz and ${at} <= ${newest(now)}::timestamptz`;
  return sql`(
    select person.id as person_id, person.email, person.language, workspace.id as workspace_id,
           workspace.name as workspace, item.kind, item.actor, item.at, conversation.id as conversation_id,
           conversation.channel, conversation.session_id, conversation.customer_name, conversation.customer_email,
           conversation.customer_phone
    from (
      select 'mention' as kind, mention.person_id, note.conversation_id, mention.created_at as at,
             coalesce(author.name, note.author) as actor
      from mention
      join note on note.id = mention.note_id
      left join person author on author.id = note.person_id
      where mention.read_at is null and ${isDue(sql`mention.created_at`)}
      union all
      select 'assignment', assignee_id, conversation.id, assigned_at, assigner.name
      from conversation
      left join person assigner on assigner.id = assigned_by
      where assignee_id is not null and status not in ('resolved', 'archived') and status <> 'snoozed'
        and ${isDue(sql`assigned_at`)}
        and assigned_by is distinct from assignee_id
        and not exists (
          select from conversation_seen
          where person_id = assignee_id and conversation_id = conversation.id and seen_at >= assigned_at
        )
      union all
      select 'continuation', assignee_id, conversation.id, opened.at, null
      from conversation
      join lateral (
        select at from audit_entry
        where audit_entry.workspace_id = conversation.workspace_id and conversation_id = conversation.id
          and action = 'status_changed' and actor = 'visitor' and actor_id is null
        order by at desc limit 1
      ) opened on true
      where assignee_id is not null and status not in ('resolved', 'archived') and status <> 'snoozed'
        and last_message_at > ${oldest(now)}::timestamptz and ${isDue(sql`opened.at`)}
        and not exists (
          select from conversation_seen
          where person_id = assignee_id and conversation_id = conversation.id and seen_at >= opened.at
        )
    ) item
    join conversation on conversation.id = item.conversation_id
    join workspace on workspace.id = conversation.workspace_id
    join person on person.id = item.person_id
    left join mail_digest on mail_digest.person_id = person.id and mail_digest.workspace_id = workspace.id
    where conversation.status not in ('resolved', 'archived')
      and workspace.deleted_at is null
      and person.email_digest
      and (
        mail_digest.person_id is null
        or mail_digest.next_at <= ${now}::timestamptz and item.at > mail_digest.told_until
      )
      and exists (
        select from membership
        where person_id = person.id and owner_id = workspace.owner_id
          and (workspace_ids is null or workspace.id = any (workspace_ids))
      )
  ) untold`;
}
