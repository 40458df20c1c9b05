import { type AskRequest, ask } from '../answering/ask.ts';
import { AppError } from '../errors.ts';
import { withQuota } from '../limits/with-quota.ts';
import { isSkillOn } from '../skills/is-skill-on.ts';
import type { AskedTurn } from './asked-turn.ts';
import { commitTurn } from './commit-turn.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** The skill by which a visitor gets a person. */
export const askForPerson = 'escalate_to_human';

/**
 * Asks the engine, and stores what is to be sent with its answer. It is counted against the month of the workspace's
 * owner, but for a person who is asked for; where that is used up, the visitor is passed on to a person. Throws what
 * `ask` throws, and `quota_exhausted` where there is nobody to pass him on to.
 */
export async function askInChannel(
  dependencies: PipelineDependencies,
  asked: AskedTurn,
  request: AskRequest,
): Promise<void> {
  const { clock, quota, log } = dependencies;
  const { held, live } = asked;
  const { workspace } = request;
  const askFor = (skill: string | undefined) =>
    ask(
      dependencies,
      { ...request, skill },
      {
        signal: live === undefined ? held.signal : AbortSignal.any([held.signal, live.signal]),
        listener: live && { stage() {}, token: live.onText },
        within: (transaction, result) => commitTurn(transaction, { ...asked, now: clock.now() }, result),
      },
    );
  if (request.skill === askForPerson) return void (await askFor(askForPerson));
  try {
    await withQuota(quota, workspace, () => askFor(undefined));
  } catch (error) {
    const isUsedUp = error instanceof AppError && error.code === 'quota_exhausted';
    if (!isUsedUp || !isSkillOn(workspace.settings, askForPerson)) throw error;
    log.warn(
      { workspace: workspace.id },
      'the messages of the month are used up: visitors are passed on to people',
    );
    await askFor(askForPerson);
  }
}
