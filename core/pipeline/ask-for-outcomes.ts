import { type Kysely, sql } from 'kysely';
import { ConnectorError } from '../contract/connector-error.ts';
import type { DeliveryReport } from '../contract/inbound-event.ts';
import type { Tables } from '../storage/tables.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { noteDelivery } from './notes/note-delivery.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

type Dependencies = Pick<
  PipelineDependencies,
  'clock' | 'connectorCalls' | 'database' | 'findAccount' | 'log' | 'wakeDeliveries'
>;

interface SentPart {
  readonly number: string;
  readonly channel_id: string;
  readonly platform_message_id: string;
}

/** So few at once that no platform minds; what is over comes with the next round. */
const most = 20;
/** Should this process die, or the platform not answer, it is asked again after so long. */
const againMs = 3_600_000;

/** Plans that the platform is asked about a part that was sent. */
export async function planAsking(
  database: Kysely<Tables>,
  { number, at }: { readonly number: string; readonly at: Date },
): Promise<void> {
  await database
    .updateTable('outbound_part')
    .set({ ask_at: at })
    .where('number', '=', number)
    .where('status', '=', 'sent')
    .execute();
}

/**
 * Asks platforms what became of parts of which they have told nothing for long: reports get lost, with us as with them.
 * What they say counts as a report does, so nothing goes back.
 */
export async function askForOutcomes(dependencies: Dependencies): Promise<void> {
  const { database, clock, log } = dependencies;
  for (const part of await take(database.kysely, clock.now())) {
    try {
      await settle(dependencies, part, await ask(dependencies, part));
    } catch (err) {
      if (!(err instanceof ConnectorError)) throw err;
      log.warn({ err, channel: part.channel_id, part: part.number }, 'what became of a message is not known');
      if (err.advice.retry === 'never' && !err.account) await settle(dependencies, part, null);
    }
  }
}

/** No two processes ask about the same. */
async function take(database: Kysely<Tables>, now: Date): Promise<readonly SentPart[]> {
  const { rows } = await sql<SentPart>`
    update outbound_part set ask_at = ${new Date(now.getTime() + againMs)}
    where number in (
      select number from outbound_part
      where ask_at <= ${now} and status = 'sent' and platform_message_id is not null
      order by ask_at limit ${most} for update skip locked
    )
    returning number, channel_id, platform_message_id
  `.execute(database);
  return rows;
}

/** Null where nothing more is known, or nobody can be asked. */
async function ask(
  { connectorCalls, findAccount }: Dependencies,
  { channel_id, platform_message_id }: SentPart,
): Promise<DeliveryReport | null> {
  const open = await findAccount(channel_id);
  const outcome = open?.connector.facets.outcome;
  if (open == null || outcome === undefined) return null;
  const { account } = open;
  return connectorCalls.call(account, (tools) => outcome.ask(platform_message_id, account, tools));
}

async function settle(
  { database, wakeDeliveries }: Pick<Dependencies, 'database' | 'wakeDeliveries'>,
  { number, channel_id: channelId }: SentPart,
  event: DeliveryReport | null,
): Promise<void> {
  await tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    if (event !== null) await noteDelivery(transaction, { channelId, event });
    await transaction
      .updateTable('outbound_part')
      .set({ ask_at: null })
      .where('number', '=', number)
      .execute();
  });
}
