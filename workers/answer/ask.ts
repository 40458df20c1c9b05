import { ask, cannedTurn } from '../../core/answering/ask.ts';
import type { AskRequest } from '../../core/answering/ask-request.ts';
import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { HumanTakeoverError } from '../../core/conversations/turn.ts';
import { AppError } from '../../core/errors.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { loadLaneWork } from '../../core/inbound/lane-work.ts';
import { type Reservation, withReservedMessage } from '../../core/limits/quota.ts';
import { isSkillEnabled } from '../../core/skills/built-in-skills.ts';
import { commitTurn, type SendingLane } from './commit-turn.ts';
import { Drafting } from './drafting.ts';
import type { AskedTurn } from './plan-turn.ts';

/**
 * Asks the engine and stores the answer together with its outbound parts. Each answer counts against the
 * monthly quota of the workspace's owner, except for handovers to a person. The quota is reserved before the
 * engine is asked if it may run out, otherwise it is counted with the answer. If the quota is exhausted, the
 * visitor is handed over to a person. Returns the acquired sending lease, or null. Throws what `ask` throws,
 * and `quota_exhausted` if the handover skill is disabled.
 */
export async function askInChannel(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<SendingLane | null> {
  const { quota, log } = dependencies;
  const { workspace } = request;
  const askWithSkill = (skill: string | undefined, countedFor?: Reservation) =>
    askWithDraft(dependencies, asked, { ...request, skill, countedFor });
  if (request.skill === humanSkill) return askWithSkill(humanSkill);
  const reservation = quota.reserveUnlimited(workspace.owner, workspace.plan);
  if (reservation !== null) return askWithSkill(undefined, reservation);
  try {
    return await withReservedMessage(quota, workspace, () => askWithSkill(undefined));
  } catch (error) {
    const isUsedUp = error instanceof AppError && error.code === 'quota_exhausted';
    if (!isUsedUp || !isSkillEnabled(workspace.settings, humanSkill)) throw error;
    log.warn({ workspace: workspace.id }, 'message quota exhausted; conversations go to agents');
    return askWithSkill(humanSkill);
  }
}

/** Streams a draft of the answer to the platform if the channel supports it and the workspace enables it. */
async function askWithDraft(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<SendingLane | null> {
  const { held, live } = asked;
  const drafting = await Drafting.open(dependencies, asked);
  let draft: Json = null;
  let toSend: SendingLane | null = null;
  const sending = (lane: SendingLane) => {
    toSend = lane;
  };
  try {
    await ask(dependencies, request, {
      signal: live === undefined ? held.signal : AbortSignal.any([held.signal, live.signal]),
      listener: live === undefined ? drafting?.listener : { stage() {}, token: live.onText },
      whole: async () => {
        await checkHumanTakeover(dependencies, asked);
        draft = (await drafting?.end()) ?? null;
      },
      beside: (result, { turns, summary }) => {
        const earlier = { turns, summary };
        return commitTurn(asked, { draft, earlier, sending }, result);
      },
    });
    return toSend;
  } catch (error) {
    // A retry continues the draft that is already visible.
    if (!asked.mayRetry || error instanceof HumanTakeoverError) await drafting?.discard();
    else await drafting?.end();
    throw error;
  }
}

type Dependencies = Pick<LaneDependencies, 'database' | 'clock'>;

/**
 * Checks for a takeover right before an answer is stored, for platforms with their own inbox: events from that
 * inbox wait in the lane behind the turn being answered. Throws HumanTakeoverError if an agent has taken the
 * conversation.
 */
async function checkHumanTakeover(
  { database, clock }: Dependencies,
  { held, open, numbers }: Pick<AskedTurn, 'held' | 'open' | 'numbers'>,
): Promise<void> {
  const { connector, account } = open;
  if (connector.facets.hasInbox !== true) return;
  const work = await loadLaneWork(database.kysely, held, clock.now());
  const waitingEvents = (work?.events ?? [])
    .filter(({ number }) => !numbers.includes(number))
    .flatMap(({ native, receivedAt }) => connector.normalise(native, account, receivedAt));
  if (isTakenOver(waitingEvents)) throw new HumanTakeoverError();
}

/** The last event decides, because an agent can take a conversation and return it. Pure. */
function isTakenOver(events: readonly InboundEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'person-replied' || type === 'status-changed');
  return last !== undefined && !(last.type === 'status-changed' && last.status === 'open');
}

/** Stores and queues a fixed text without asking the engine. */
export async function sendCannedReply(
  { conversations }: LaneDependencies,
  asked: AskedTurn,
  { request, text }: { readonly request: AskRequest; readonly text: string },
): Promise<SendingLane | null> {
  const turn = cannedTurn(request, text);
  const { answer } = turn;
  let toSend: SendingLane | null = null;
  const sending = (lane: SendingLane) => {
    toSend = lane;
  };
  await conversations.storeTurn(turn, (stored) => commitTurn(asked, { sending }, { ...stored, answer }));
  return toSend;
}
