import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { ChannelView } from '../channel-view.ts';

export const checkIds = ['credentials', 'connection', 'signature', 'message', 'answer'] as const;
export const checkStates = ['done', 'waiting', 'failed', 'blocked'] as const;

/** One thing that has to be seen before a channel counts as working. */
export interface ChannelCheck {
  readonly id: (typeof checkIds)[number];
  /** `blocked`: it cannot happen until PUBLIC_URL is set. */
  readonly state: (typeof checkStates)[number];
  /** When it was seen, or when it failed. */
  readonly at: Date | null;
  /** The words of the platform, if it failed. */
  readonly detail: string | null;
}

/** The proof in the rows of a channel, and its backlog. */
export interface ChannelEvidence {
  readonly verifiedAt: Date | null;
  readonly refusedAt: Date | null;
  readonly messageAt: Date | null;
  readonly answerAt: Date | null;
  /** Why no answer was delivered yet. */
  readonly answerFailure: string | null;
  readonly waitingParts: number;
  readonly failures: number;
}

/** At most so many conversations of a widget are read for its first message. */
const searched = 100;

/**
 * Returns what proves that the channels of a workspace work, by id. Maintenance deletes events and parts after a
 * while. The channel's own row keeps the proof, and the others are read only if it has none.
 */
export async function loadEvidence(
  database: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChannelEvidence>> {
  if (ids.length === 0) return new Map();
  const firstConversations = sql`
    (select id, started_at from conversation where channel_id = channel.id limit ${sql.lit(searched)}) as first_ones
  `;
  const { rows } = await sql<EvidenceRow>`
    select id, verified_at, refused_at,
      coalesce(
        first_message_at,
        (select min(received_at) from inbound_event
          where channel_id = channel.id and (answer_id is not null or handled_at is null)),
        (select min(started_at) from ${firstConversations})
      ) as message_at,
      coalesce(
        first_answer_at,
        (select min(sent_at) from outbound_part
          where channel_id = channel.id and outbound_part.status in ('sent', 'delivered', 'read')),
        (select min(message.created_at) from ${firstConversations}
          join message on message.conversation_id = first_ones.id and message.role <> 'user')
      ) as answer_at,
      coalesce(
        (select failure from outbound_part
          where channel_id = channel.id and outbound_part.status in ('dead', 'failed') order by number desc limit 1),
        (select failure from inbound_event
          where channel_id = channel.id and failure is not null and handled_at is null order by number desc limit 1)
      ) as answer_failure,
      (select count(*)::integer from outbound_part
        where channel_id = channel.id and outbound_part.status = 'waiting') as waiting_parts,
      (select count(*)::integer from outbound_part
        where channel_id = channel.id and outbound_part.status in ('dead', 'failed'))
      + (select count(*)::integer from inbound_event
        where channel_id = channel.id and failure is not null and handled_at is null) as failures
    from channel
    where workspace_id = ${workspaceId} and id = any (${[...ids]})
  `.execute(database);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        verifiedAt: row.verified_at,
        refusedAt: row.refused_at,
        messageAt: row.message_at,
        answerAt: row.answer_at,
        answerFailure: row.answer_failure,
        waitingParts: row.waiting_parts,
        failures: row.failures,
      },
    ]),
  );
}

interface EvidenceRow {
  readonly id: string;
  readonly verified_at: Date | null;
  readonly refused_at: Date | null;
  readonly message_at: Date | null;
  readonly answer_at: Date | null;
  readonly answer_failure: string | null;
  readonly waiting_parts: number;
  readonly failures: number;
}

/**
 * Returns the checks of a channel, in the order in which they happen. A channel that visitors reach directly has no
 * credentials and no connection; one that shares an app is signed for by its parent. Pure.
 */
export function toChecks(channel: ChannelView, evidence: ChannelEvidence): readonly ChannelCheck[] {
  const { intake } = channel;
  const talk = [message(evidence), answer(evidence)];
  if (intake === 'none') return talk;
  const credentials = checkCredentials(channel, evidence);
  const connection = checkConnection(channel, evidence);
  if (intake !== 'webhook') return [credentials, connection, ...talk];
  return [credentials, connection, checkSignature(channel, evidence), ...talk];
}

function checkCredentials({ status, lastError }: ChannelView, { verifiedAt }: ChannelEvidence): ChannelCheck {
  if (verifiedAt !== null) return done('credentials', verifiedAt);
  if (status === 'error') return { id: 'credentials', state: 'failed', at: null, detail: lastError };
  return waiting('credentials');
}

function checkConnection(
  { status, lastError, heardAt, webhookUrl, isStale, intake }: ChannelView,
  { verifiedAt, refusedAt }: ChannelEvidence,
): ChannelCheck {
  const id = 'connection';
  const reachedAt = latest(heardAt, intake === 'webhook' ? refusedAt : null);
  if (intake === 'webhook' && webhookUrl === null)
    return { id, state: 'blocked', at: null, detail: lastError };
  if (status === 'error' && verifiedAt !== null)
    return { id, state: 'failed', at: reachedAt, detail: lastError };
  if (isStale) return { id, state: 'failed', at: reachedAt, detail: null };
  return reachedAt === null ? waiting(id) : done(id, reachedAt);
}

function checkSignature({ heardAt, webhookUrl }: ChannelView, { refusedAt }: ChannelEvidence): ChannelCheck {
  const id = 'signature';
  if (webhookUrl === null) return { id, state: 'blocked', at: null, detail: null };
  if (refusedAt !== null && (heardAt === null || refusedAt > heardAt)) {
    return { id, state: 'failed', at: refusedAt, detail: null };
  }
  return heardAt === null ? waiting(id) : done(id, heardAt);
}

function message({ messageAt }: ChannelEvidence): ChannelCheck {
  return messageAt === null ? waiting('message') : done('message', messageAt);
}

function answer({ answerAt, answerFailure }: ChannelEvidence): ChannelCheck {
  if (answerAt !== null) return done('answer', answerAt);
  if (answerFailure !== null) return { id: 'answer', state: 'failed', at: null, detail: answerFailure };
  return waiting('answer');
}

function done(id: ChannelCheck['id'], at: Date): ChannelCheck {
  return { id, state: 'done', at, detail: null };
}

function waiting(id: ChannelCheck['id']): ChannelCheck {
  return { id, state: 'waiting', at: null, detail: null };
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** Facts about an account that are no fault, but that an owner may want to change on the platform. */
export const channelNotes = ['group_privacy'] as const;

/** Returns the notes about a channel, from what its platform said about the account. Pure. */
export function toNotes({ profile }: Pick<ChannelView, 'profile'>): (typeof channelNotes)[number][] {
  return profile.can_read_all_group_messages === false ? ['group_privacy'] : [];
}

export const channelStates = ['refused', 'stale', 'unproven', 'live', 'off'] as const;

/** Returns the one word for a channel: ill, not proven, live or off. Pure. */
export function toOverallState(
  { enabled, status }: ChannelView,
  checks: readonly ChannelCheck[],
): (typeof channelStates)[number] {
  if (!enabled) return 'off';
  if (status === 'error') return 'refused';
  if (status === 'stale') return 'stale';
  return checks.every(({ state }) => state === 'done') ? 'live' : 'unproven';
}

export interface DayCounts {
  readonly questions: number;
  readonly replies: number;
  /** Replies that answered, so not those with low confidence. */
  readonly answered: number;
}

/** Returns the questions and replies of a workspace since a time: by the id of the channel, and those of the API by `api`. */
export async function countTalk(
  database: Kysely<Tables>,
  workspaceId: string,
  since: Date,
): Promise<ReadonlyMap<string, DayCounts>> {
  const { rows } = await sql<DayCounts & { readonly name: string }>`
    select coalesce(conversation.channel_id, lane.channel_id, conversation.channel) as name,
      count(*) filter (where message.role = 'user')::integer as questions,
      count(*) filter (where message.role = 'assistant')::integer as replies,
      count(*) filter (where message.role = 'assistant' and message.confidence is distinct from 'low')::integer as answered
    from conversation
    left join lane on lane.conversation_id = conversation.id
    join message on message.conversation_id = conversation.id and message.created_at > ${since} and message.purpose is null
    where conversation.workspace_id = ${workspaceId} and conversation.last_message_at > ${since}
    group by 1
  `.execute(database);
  return new Map(
    rows.map(({ name, questions, replies, answered }) => [name, { questions, replies, answered }]),
  );
}
