import { type Kysely, sql } from 'kysely';
import { personSkill } from '../contract/person-skill.ts';
import type { OutboundPart } from '../contract/reply.ts';
import type { LiveAnswer } from '../contract/socket-intake.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';

interface Dealt {
  /** Null where it was not answered, and will not be. */
  readonly answer: LiveAnswer | null;
}

interface Row {
  readonly is_dealt_with: boolean;
  readonly message_id: string | null;
  readonly content: string | null;
  readonly skills_fired: readonly string[] | null;
}

/**
 * What came of an event: null where it is not dealt with yet. What is collected of its answer counts as sent from then on, to
 * who asks here and nobody else.
 */
export async function answeredEvent(
  database: Kysely<Tables>,
  { channelId, number, now }: { readonly channelId: string; readonly number: string; readonly now: Date },
): Promise<Dealt | null> {
  const { rows } = await sql<Row>`
    select handled_at is not null or failure is not null as is_dealt_with, message.id as message_id,
           message.content, message.skills_fired
    from inbound_event left join message on message.id = answer_id
    where channel_id = ${channelId} and number = ${number}
  `.execute(database);
  const [row] = rows;
  if (row !== undefined && !row.is_dealt_with) return null;
  if (row?.message_id == null) return { answer: null };
  return {
    answer: {
      messageId: row.message_id,
      text: row.content ?? '',
      handover: row.skills_fired?.includes(personSkill) ?? false,
      parts: await takeParts(database, row.message_id, now),
    },
  };
}

async function takeParts(
  database: Kysely<Tables>,
  messageId: string,
  now: Date,
): Promise<readonly OutboundPart[]> {
  await database
    .updateTable('outbound_part')
    .set({ status: 'sent', sent_at: now })
    .where('message_id', '=', messageId)
    .where('status', '=', 'collectable')
    .execute();
  const parts = await database
    .selectFrom('outbound_part')
    .select(['content', 'status'])
    .where('message_id', '=', messageId)
    .orderBy('part')
    .execute();
  return parts.map(({ content, status }) => ({
    content: storedJson.parse(content),
    ...(status === 'held' && { onRequest: true }),
  }));
}
