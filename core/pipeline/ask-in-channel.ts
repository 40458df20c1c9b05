import { type AskRequest, ask } from '../answering/ask.ts';
import type { Json } from '../contract/json.ts';
import { personSkill } from '../contract/person-skill.ts';
import { TakenOver } from '../conversations/taken-over.ts';
import { AppError } from '../errors.ts';
import type { Reservation } from '../limits/quota.ts';
import { withQuota } from '../limits/with-quota.ts';
import { isSkillOn } from '../skills/is-skill-on.ts';
import type { AskedTurn } from './asked-turn.ts';
import { commitTurn, type SendingLane } from './commit-turn.ts';
import { Drafting } from './drafting.ts';
import { heedInbox } from './heed-inbox.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

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
