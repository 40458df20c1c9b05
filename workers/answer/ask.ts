import { type AskRequest, ask, readyTurn } from '../../core/answering/ask.ts';
import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { personSkill } from '../../core/contract/skill.ts';
import { TakenOver } from '../../core/conversations/turn.ts';
import { AppError } from '../../core/errors.ts';
import type { PipelineDependencies } from '../../core/inbound/lane-dependencies.ts';
import { laneWork } from '../../core/inbound/lane-work.ts';
import { type Reservation, withQuota } from '../../core/limits/quota.ts';
import { isSkillOn } from '../../core/skills/built-in-skills.ts';
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
  dependencies: PipelineDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<SendingLane | null> {
  const { quota, log } = dependencies;
  const { workspace } = request;
  const askFor = (skill: string | undefined, countedFor?: Reservation) =>
    askShowing(dependencies, asked, { ...request, skill, countedFor });
  if (request.skill === personSkill) return askFor(personSkill);
  const counted = quota.withoutEnd(workspace.owner, workspace.plan);
  if (counted !== null) return askFor(undefined, counted);
  try {
    return await withQuota(quota, workspace, () => askFor(undefined));
  } catch (error) {
    const isUsedUp = error instanceof AppError && error.code === 'quota_exhausted';
    if (!isUsedUp || !isSkillOn(workspace.settings, personSkill)) throw error;
    log.warn(
      { workspace: workspace.id },
      'the messages of the month are used up: visitors are passed on to people',
    );
    return askFor(personSkill);
  }
}

/** The visitor sees the answer while it is made, where that is wanted. */
async function askShowing(
  dependencies: PipelineDependencies,
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
        await heedInbox(dependencies, asked);
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
    if (!asked.mayRetry || error instanceof TakenOver) await drafting?.discard();
    else await drafting?.end();
    throw error;
  }
}

type Dependencies = Pick<PipelineDependencies, 'database' | 'clock'>;

/**
 * Looks once more before an answer is stored, where people answer in an inbox of the platform's own: what one of them did
 * there while it was made waits behind it in the lane. Throws TakenOver where the conversation is not ours any more.
 */
async function heedInbox(
  { database, clock }: Dependencies,
  { held, open, numbers }: Pick<AskedTurn, 'held' | 'open' | 'numbers'>,
): Promise<void> {
  const { connector, account } = open;
  if (connector.facets.hasInbox !== true) return;
  const work = await laneWork(database.kysely, held, clock.now());
  const since = (work?.events ?? [])
    .filter(({ number }) => !numbers.includes(number))
    .flatMap(({ native, receivedAt }) => connector.normalise(native, account, receivedAt));
  if (isTaken(since)) throw new TakenOver();
}

/** The last of it counts: who takes a conversation may give it back. Pure. */
function isTaken(events: readonly InboundEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'person-replied' || type === 'status-changed');
  return last !== undefined && !(last.type === 'status-changed' && last.status === 'open');
}

/** Says what needs no engine. */
export async function sayReady(
  { conversations }: PipelineDependencies,
  asked: AskedTurn,
  { request, text }: { readonly request: AskRequest; readonly text: string },
): Promise<SendingLane | null> {
  const turn = readyTurn(request, text);
  const { answer } = turn;
  let toSend: SendingLane | null = null;
  const sending = (lane: SendingLane) => {
    toSend = lane;
  };
  await conversations.storeTurn(turn, (stored) => commitTurn(asked, { sending }, { ...stored, answer }));
  return toSend;
}
