import type { SkillMoment, SkillOutcome } from '../../contract/skill.ts';
import { FetchError } from '../../http-client.ts';
import type { Logger } from '../../log.ts';
import { type CallDependencies, callSkill } from './call-skill.ts';
import { checkArguments } from './check-arguments.ts';
import { failureMessage } from './failure-message.ts';
import type { CallableSkill } from './http-skill-record.ts';
import { PatternError } from './linear-pattern.ts';
import { SlowSchemaError } from './parameters-validator.ts';
import { readReply } from './read-reply.ts';

export interface SkillDependencies extends CallDependencies {
  readonly log: Pick<Logger, 'warn'>;
}

interface SkillRun {
  readonly given: unknown;
  readonly moment: SkillMoment;
}

export interface CarriedOut {
  readonly outcome: SkillOutcome;
  /** What its server answered; null where it was not called or did not answer. */
  readonly status: number | null;
  /** Why it failed, for its owner; null where it did not. */
  readonly error: string | null;
}

/** Runs a skill once. Whatever goes wrong is an outcome; only an abort of the moment's signal is thrown. */
export async function carryOut(
  dependencies: SkillDependencies,
  skill: CallableSkill,
  { given, moment }: SkillRun,
): Promise<CarriedOut> {
  try {
    if (skill.runsFor === 'verified' && moment.userId === null) {
      return withoutCall('Not done: this is for visitors who are signed in.');
    }
    const checked = checkArguments(skill, given);
    if ('finding' in checked) return withoutCall(checked.finding);
    const reply = await callSkill(dependencies, skill, { given: checked.given, moment });
    const read = readReply(reply);
    const { status } = reply;
    if (read !== null) return { outcome: { ...read, effects: [] }, status, error: null };
    dependencies.log.warn({ ...named(skill), status }, 'a skill answered what is not understood');
    return { ...failed(moment), status, error: `The answer with status ${status} is not understood.` };
  } catch (error) {
    moment.signal.throwIfAborted();
    if (error instanceof PatternError || error instanceof SlowSchemaError) {
      dependencies.log.warn(
        { ...named(skill), reason: error.name },
        'skill has a schema that is not supported',
      );
      return {
        ...failed(moment),
        status: null,
        error: `${error.message} Change the parameters of the skill.`,
      };
    }
    const known = error instanceof FetchError;
    // Its message holds the address, and with it what the owner may have hidden there.
    const reason = known ? { reason: error.code } : { err: error };
    dependencies.log.warn({ ...named(skill), ...reason }, 'a skill could not be called');
    return { ...failed(moment), status: null, error: known ? told(error) : 'Something went wrong here.' };
  }
}

function withoutCall(finding: string): CarriedOut {
  return { outcome: { says: null, finding, effects: [] }, status: null, error: null };
}

function failed({ language }: SkillMoment): Pick<CarriedOut, 'outcome'> {
  return { outcome: { says: failureMessage(language), finding: null, effects: [] } };
}

function told({ code, message }: FetchError): string {
  return code === 'too_many_redirects' ? 'The answer is a redirect, which is not followed.' : message;
}

function named({ id, workspaceId }: CallableSkill) {
  return { skill: id, workspace: workspaceId };
}
