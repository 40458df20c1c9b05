import { type Kysely, sql } from 'kysely';
import { type Clock, nextMonth, startOfMonth } from '../base/clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { plans } from '../workspaces/workspace-settings.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** The use of an owner's quota in a calendar month (UTC). */
export interface QuotaUse {
  readonly resetsAt: Date;
  /** Of all workspaces of the owner: they share the quota. */
  readonly messages: number;
  /** Null for unlimited. */
  readonly quota: number | null;
}

/** The messages of a calendar month (UTC). */
export interface Usage extends QuotaUse {
  /** First day of the month, such as `2026-03-01`. */
  readonly month: string;
  /** The messages at the end of the month at the pace so far. Null on the first day. */
  readonly forecast: number | null;
  /** Answers in this workspace, as far as their conversations are still stored. */
  readonly byChannel: readonly { readonly channel: string; readonly answers: number }[];
  readonly byDay: readonly { readonly day: string; readonly answers: number }[];
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

const DAY_MS = 24 * 3_600_000;

/** Returns what the workspace's owner has used of this month's quota. */
export async function findQuotaUse(
  { database, clock }: Dependencies,
  { owner, plan }: Pick<Workspace, 'owner' | 'plan'>,
): Promise<QuotaUse> {
  const now = clock.now();
  const counted = await database
    .selectFrom('owner_usage')
    .select('messages')
    .where('owner_id', '=', owner)
    .where('month', '=', sql<Date>`${startOfMonth(now)}::date`)
    .executeTakeFirst();
  const { messagesPerMonth } = plans[plan];
  return {
    resetsAt: nextMonth(now),
    messages: counted?.messages ?? 0,
    quota: Number.isFinite(messagesPerMonth) ? messagesPerMonth : null,
  };
}

/** Returns what the workspace's owner has used of this month's quota, and where this workspace used it. */
export async function findUsage(
  { database, clock }: Dependencies,
  { id, owner, plan }: Workspace,
): Promise<Usage> {
  const now = clock.now();
  const month = startOfMonth(now);
  const since = new Date(`${month}T00:00:00Z`);
  const used = await findQuotaUse({ database, clock }, { owner, plan });
  // An index finds the conversations of the month.
  const { rows } = await sql<{ channel: string; day: string; answers: number }>`
    select conversation.channel, (message.created_at at time zone 'UTC')::date::text as day, count(*)::int as answers
    from conversation join message on message.conversation_id = conversation.id
    where conversation.workspace_id = ${id} and conversation.last_message_at >= ${since}
      and message.role = 'assistant' and message.purpose is null and message.created_at >= ${since}
    group by 1, 2
  `.execute(database);
  const elapsed = now.getTime() - since.getTime();
  const whole = used.resetsAt.getTime() - since.getTime();
  return {
    ...used,
    month,
    forecast: elapsed < DAY_MS ? null : Math.round((used.messages * whole) / elapsed),
    byChannel: sumBy(rows, 'channel')
      .map(([channel, answers]) => ({ channel, answers }))
      .sort((one, other) => other.answers - one.answers),
    byDay: sumBy(rows, 'day')
      .map(([day, answers]) => ({ day, answers }))
      .sort((one, other) => one.day.localeCompare(other.day)),
  };
}

function sumBy<Key extends 'channel' | 'day'>(
  rows: readonly { readonly channel: string; readonly day: string; readonly answers: number }[],
  key: Key,
): readonly (readonly [string, number])[] {
  const groups = Map.groupBy(rows, (row) => row[key]);
  return [...groups].map(([name, group]) => [name, group.reduce((sum, { answers }) => sum + answers, 0)]);
}
