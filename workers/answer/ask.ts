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
 * Asks the engine, and stores what is to be sent with its answer. It is counted against the month of the workspace's
 * owner, but for a person who is asked for: before it is asked where that may be used up, else with the answer. Where it is
 * used up, the visitor is passed on to a person. Throws what `ask` throws, and `quota_exhausted` where there is nobody to
 * pass him on to. The lane to send in, where it is ours now.
 */
export async function askInChannel(
  dependencies: LaneDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<SendingLane | null> {
  const { quota, log } = dependencies;
  const { workspace } = request;
  const askFor = (skill: string | undefined, countedFor?: Reservation) =>
    askWithDraft(dependencies, asked, { ...request, skill, countedFor });
  if (request.skill === humanSkill) return askFor(humanSkill);
  const counted = quota.reserveUnlimited(workspace.owner, workspace.plan);
  if (counted !== null) return askFor(undefined, counted);
  try {
    return await withReservedMessage(quota, workspace, () => askFor(undefined));
  } catch (error) {
    const isUsedUp = error instanceof AppError && error.code === 'quota_exhausted';
    if (!isUsedUp || !isSkillEnabled(workspace.settings, humanSkill)) throw error;
    log.warn(
      { workspace: workspace.id },
      'the messages of the month are used up: visitors are passed on to people',
    );
    return askFor(humanSkill);
  }
}

/** The visitor sees the answer while it is made, where that is wanted. */
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
    // What is tried again goes on with what is shown already.
    if (!asked.mayRetry || error instanceof HumanTakeoverError) await drafting?.discard();
    else await drafting?.end();
    throw error;
  }
}

type Dependencies = Pick<LaneDependencies, 'database' | 'clock'>;

/**
 * Looks once more before an answer is stored, where people answer in an inbox of the platform's own: what one of them did
 * there while it was made waits behind it in the lane. Throws TakenOver where the conversation is not ours any more.
 */
async function checkHumanTakeover(
  { database, clock }: Dependencies,
  { held, open, numbers }: Pick<AskedTurn, 'held' | 'open' | 'numbers'>,
): Promise<void> {
  const { connector, account } = open;
  if (connector.facets.hasInbox !== true) return;
  const work = await loadLaneWork(database.kysely, held, clock.now());
  const since = (work?.events ?? [])
    .filter(({ number }) => !numbers.includes(number))
    .flatMap(({ native, receivedAt }) => connector.normalise(native, account, receivedAt));
  if (isTakenOver(since)) throw new HumanTakeoverError();
}

/** The last of it counts: who takes a conversation may give it back. Pure. */
function isTakenOver(events: readonly InboundEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'person-replied' || type === 'status-changed');
  return last !== undefined && !(last.type === 'status-changed' && last.status === 'open');
}

/** Says what needs no engine. */
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
