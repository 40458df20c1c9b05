import { type Kysely, sql } from 'kysely';
import type { OutboundPart, Reply } from '../contract/reply.ts';
import type { Tables } from '../storage/tables.ts';
import type { WaitingPart } from './next-part.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { replyWindow } from './reply-window.ts';
import { settlePart } from './settle-part.ts';

interface Barred {
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

const UNWANTED = 'The visitor asked us not to write to him.';

/**
 * Keeps a part back that may not go out any more: its visitor does not want it, or the platform takes it too long after
 * he wrote no more. What the channel has for that is sent in its place. Tells whether the part is dealt with.
 */
export async function barPart(
  dependencies: Pick<PipelineDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { next, open }: Barred,
): Promise<boolean> {
  const {
    database: { kysely },
    clock,
  } = dependencies;
  if (next.isUnwanted) {
    await settlePart(dependencies, next, { status: 'withheld', failure: UNWANTED });
    return true;
  }
  const { window } = open.connector.facets;
  const opening = replyWindow(open, { to: next.to, heardAt: next.heardAt, now: clock.now() });
  if (window === undefined || opening === null || opening.isOpen || window.isTimeless(next.part))
    return false;
  const instead = window.instead(await replyOf(kysely, next), next.to, open.account);
  if (instead === null) await settlePart(dependencies, next, { status: 'failed', failure: window.because });
  else await putInPlace(kysely, next, instead);
  return true;
}

async function replyOf(database: Kysely<Tables>, { messageId, author }: WaitingPart): Promise<Reply> {
  const { content } = await database
    .selectFrom('message')
    .select('content')
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  return { author, text: content, sources: [], replyTo: null, offers: [], handover: false };
}

/** It stands for the whole message: what else waits of that is not sent. */
async function putInPlace(
  database: Kysely<Tables>,
  { number, messageId }: WaitingPart,
  { content }: OutboundPart,
): Promise<void> {
  const failure = 'A template was sent in its place.';
  await sql`
    update outbound_part
    set content = case when number = ${number} then ${JSON.stringify(content)}::jsonb else content end,
        status = case when number = ${number} then status else 'withheld' end,
        failure = case when number = ${number} then failure else ${failure} end
    where message_id = ${messageId} and status in ('waiting', 'held')
  `.execute(database);
}
