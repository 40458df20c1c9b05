import { ConnectorError } from '../contract/connector-error.ts';
import type { Receipt } from '../contract/reply.ts';
import type { Tools } from '../contract/tools.ts';
import { insist } from '../storage/insist.ts';
import { planAsking } from './ask-for-outcomes.ts';
import type { HeldLane } from './hold-lane.ts';
import { moveLane } from './move-lane.ts';
import type { WaitingPart } from './next-part.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { setReachable } from './set-reachable.ts';
import { postpone, type Settled, settlePart } from './settle-part.ts';

interface Sending {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  /** Of whoever answers in the lane meanwhile, where he sends as well. */
  readonly answering: string | undefined;
}

/** Over about half an hour. */
const mostTries = 8;
const firstPauseMs = 8_000;
/** Whatever a platform says. */
const longestPauseMs = 24 * 60 * 60 * 1_000;
/** A database that is started anew is back by then, and the lane may be another's soon after. */
const patienceMs = 15_000;

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
  | 'sendingGate'
  | 'sentBatches'
  | 'sentJournal'
>;

/** Sends a part once, and stores what came of it. */
export async function sendPart(
  dependencies: Dependencies,
  { held, next, open, answering }: Sending,
): Promise<Outcome> {
  const { database, clock, log, metrics, channelAccounts, sendingGate } = dependencies;
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
    // Until the visitor is heard of again.
    if (error.unreachable) await setReachable(database.kysely, held, { reachable: false });
    await noteLimit(dependencies, { held, next, open }, error.advice);
    if (error.account) await channelAccounts.noteRefusal(account.id, error.message);
    if (error.advice.retry === 'never') {
      // What an account could not send another token of it can: an operator may try it again then.
      const status = error.account ? 'dead' : 'failed';
      await settlePart(database.kysely, tried, { status, failure: error.message });
    } else if (attempts >= mostTries) {
      await settlePart(database.kysely, tried, { status: 'dead', failure: error.message });
    } else {
      const at = new Date(clock.now().getTime() + pauseOf(error.advice, attempts));
      await postpone(database.kysely, next, { at, attempts, failure: error.message });
      return { kind: 'postponed', at };
    }
  }
  return { kind: 'settled' };
}

/** Until it is noted whoever has the lane next sends it again. `next`: with this try counted. */
async function sendAndNote(
  { clock, connectorCalls, sentBatches, sentJournal }: Dependencies,
  { held, next, open, answering }: Sending,
) {
  const receipt = await connectorCalls.call(open.account, (tools) => send({ next, open }, tools));
  const { moved, messageId: platformMessageId } = receipt;
  const sentAt = clock.now();
  const { channelId, lane, token, signal } = held;
  const { number, attempts } = next;
  const sent = { channelId, lane, token, answering, number, attempts, platformMessageId, sentAt };
  const note = (mayWait: boolean) =>
    insist(() => sentBatches.settle(sent, { mayWait }), { signal, forMs: patienceMs });
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

async function noteLimit(
  { heldBack }: Pick<Dependencies, 'heldBack'>,
  { held, next, open: { connector, account } }: Omit<Sending, 'answering'>,
  advice: ConnectorError['advice'],
): Promise<void> {
  if (advice.retry !== 'after' || advice.limited === undefined) return;
  const { afterMs, limited } = advice;
  await heldBack.note(held, { budgets: connector.budgets(next.to, account), afterMs, limited });
}

function pauseOf(advice: ConnectorError['advice'], attempts: number): number {
  if (advice.retry === 'after') return Math.min(advice.afterMs, longestPauseMs);
  const doubled = firstPauseMs * 2 ** (attempts - 1);
  return doubled * (0.75 + Math.random() / 2);
}
