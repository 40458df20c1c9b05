import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';
import type { handleOf } from './list.ts';

/** A mention, an assigned conversation, or one that its visitor has opened again. */
export interface DigestItem extends Readonly<Parameters<typeof handleOf>[0]> {
  readonly kind: 'mention' | 'assignment' | 'continuation';
  readonly conversationId: string;
  readonly channel: string;
  /** The name of the person who wrote the note or assigned the conversation; null: a rule, a key, the operator or a visitor. */
  readonly actor: string | null;
}

const MINUTE_MS = 60_000;
/** The delay in which the person can see it in the dashboard. */
const GRACE_MS = 10 * MINUTE_MS;

/** The pause between two mails to a person about a workspace. */
const PAUSE_MS = 30 * MINUTE_MS;

/** Older events are not mailed, because mail was not set up at the time. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS;

export interface Recipient {
  readonly personId: string;
  readonly workspaceId: string;
}

/** Returns the people who have unsent news, the longest waiting first. */
export async function findRecipients(database: Kysely<Tables>, now: Date): Promise<readonly Recipient[]> {
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
 * Claims the news that a person has not seen, and returns it. Null if there is none any more, if another process
 * claimed it, or if the last mail is too recent.
 */
export async function claimDigest(
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

/** Stores the outcome of a mail, unless a later one was claimed meanwhile. */
export async function settleDigest(
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

/**
 * Selects the news that people have not seen, may see, and can get now, as `untold`. Snoozed conversations wait for
 * nobody.
 */
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
      and workspace.deleted_at is null and workspace.staging_for is null
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
