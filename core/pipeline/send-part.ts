import { ConnectorError } from '../contract/connector-error.ts';
import type { Receipt } from '../contract/reply.ts';
import type { Tools } from '../contract/tools.ts';
import { insist } from '../storage/insist.ts';
import { planAsking } from './ask-for-outcomes.ts';
import { findSent } from './find-sent.ts';
import type { HeldLane } from './hold-lane.ts';
import { moveLane } from './move-lane.ts';
import type { WaitingPart } from './next-part.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { retryAfterOutage } from './retry-after-outage.ts';
import type { Settled } from './settle-part.ts';
import { settleRefusal } from './settle-refusal.ts';

interface Sending {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  /** Of whoever answers in the lane meanwhile, where he sends as well. */
  readonly answering: string | undefined;
}

/** What came of sending a part. */
type Outcome =
  | ({ readonly kind: 'sent' } & Settled)
  /** What is to be sent next has to be looked up. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'postponed'; readonly at: Date };

type Dependencies = Pick<
  PipelineDependencies,
  | 'channelAccounts'
  | 'database'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'connectorCalls'
  | 'heldBack'
  | 'outages'
  | 'queue'
  | 'sendingGate'
  | 'sentBatches'
  | 'sentJournal'
  | 'signal'
  | 'wakeDeliveries'
>;

/** Sends a part once, and stores what came of it. */
export async function sendPart(
  dependencies: Dependencies,
  { held, next, open, answering }: Sending,
): Promise<Outcome> {
  const { database, log, metrics, channelAccounts, outages, sendingGate } = dependencies;
  const { account } = open;
  const attempts = next.attempts + 1;
  const tried = { ...next, attempts };
  try {
    const { moved, sentAt, noted } = await sendingGate.pass(held.channelId, async () => {
      const sent = await sendAndNote(dependencies, { held, next: tried, open, answering });
      await sent.safe;
      return sent;
    });
    const settled = await noted;
    metrics.channels.sent(account.channel, sentAt.getTime() - next.since.getTime());
    await channelAccounts.noteSent(account.id);
    if (outages.noteSent(account.id)) await retryAfterOutage(dependencies, account.id);
    const { outcome } = open.connector.facets;
    if (outcome !== undefined) {
      const at = new Date(sentAt.getTime() + outcome.afterMs);
      await planAsking(database.kysely, { number: next.number, at });
    }
    if (moved === undefined) return { kind: 'sent', ...settled };
    await moveLane(database.kysely, { channelId: held.channelId, from: next.to, to: moved });
  } catch (error) {
    if (held.signal.aborted || !(error instanceof ConnectorError)) throw error;
    log.warn({ err: error, channel: held.channelId, part: next.number, attempts }, 'a message was not sent');
    const at = await settleRefusal(dependencies, { held, next: tried, open }, error);
    if (at !== null) return { kind: 'postponed', at };
  }
  return { kind: 'settled' };
}

/**
 * Until it is noted whoever has the lane next sends it again, so it is noted as soon as the database is there, whosever the
 * lane is by then. `next`: with this try counted.
 */
async function sendAndNote(dependencies: Dependencies, { held, next, open, answering }: Sending) {
  const { clock, connectorCalls, sentBatches, sentJournal, signal } = dependencies;
  const receipt =
    (await findSent(dependencies, { held, next, open })) ??
    (await connectorCalls.call(open.account, (tools) => send({ next, open }, tools)));
  const { moved, messageId: platformMessageId } = receipt;
  const sentAt = clock.now();
  const { channelId, lane, token } = held;
  const { number, attempts } = next;
  const sent = { channelId, lane, token, answering, number, attempts, platformMessageId, sentAt };
  const note = (mayWait: boolean) => insist(() => sentBatches.settle(sent, { mayWait }), signal);
  return { moved, sentAt, ...sentJournal.keep(sent, note) };
}

/** In the place of what was shown of it; anew where the platform does not let it be replaced any more. */
async function send(
  { next: { part, to, draft }, open: { connector, account } }: Pick<Sending, 'next' | 'open'>,
  tools: Tools,
): Promise<Receipt> {
  const { streaming } = connector.facets;
  if (draft === null || streaming === undefined) return connector.deliver(part, to, account, tools);
  try {
    return await streaming.end({ draft, part, to }, account, tools);
  } catch (error) {
    const isForGood = error instanceof ConnectorError && error.advice.retry === 'never' && !error.account;
    if (!isForGood) throw error;
    return connector.deliver(part, to, account, tools);
  }
}
