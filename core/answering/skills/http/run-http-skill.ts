import { FetchError } from '../../../base/http-client.ts';
import type { Logger } from '../../../base/log.ts';
import type { Skill, SkillMoment, SkillOutcome } from '../../../contract/skill.ts';
import { findText } from '../../../language/localised-texts.ts';
import { type CallDependencies, callSkill } from './call-skill.ts';
import type { CallableSkill } from './http-skill-record.ts';
import { checkArguments, PatternError, SlowSchemaError } from './parameters.ts';
import { parseReply } from './read-reply.ts';

/** Wraps an HTTP skill for the engine. Only a model can call it: it has no trigger for the words of visitors. */
export function httpSkill(record: CallableSkill, dependencies: SkillDependencies): Skill {
  const { name, description, parameters, runsFor } = record;
  return {
    name,
    description,
    parameters,
    runsFor,
    trigger: () => null,
    run: async (given, moment) => (await runHttpSkill(dependencies, record, { given, moment })).outcome,
  };
}

export interface SkillDependencies extends CallDependencies {
  readonly log: Pick<Logger, 'warn'>;
}

interface SkillRun {
  readonly given: unknown;
  readonly moment: SkillMoment;
}

export interface HttpSkillResult {
  readonly outcome: SkillOutcome;
  /** HTTP status of the response; null if the server was not called or did not respond. */
  readonly status: number | null;
  /** Reason of the failure, for the skill's owner; null on success. */
  readonly error: string | null;
}

/** Runs a skill once. Failures become outcomes; only an abort of the moment's signal is thrown. */
export async function runHttpSkill(
  dependencies: SkillDependencies,
  skill: CallableSkill,
  { given, moment }: SkillRun,
): Promise<HttpSkillResult> {
  try {
    if (skill.runsFor === 'verified' && moment.userId === null) {
      return withoutCall('Not done: this is for visitors who are signed in.');
    }
    const checked = checkArguments(skill, given);
    if ('finding' in checked) return withoutCall(checked.finding);
    const reply = await callSkill(dependencies, skill, { given: checked.given, moment });
    const read = parseReply(reply);
    const { status } = reply;
    if (read !== null) return { outcome: { ...read, effects: [] }, status, error: null };
    dependencies.log.warn({ ...describeSkill(skill), status }, 'skill response not understood');
    return {
      ...failed(moment),
      status,
      error: `The skill's server returned an unusable response (status ${status}).`,
    };
  } catch (error) {
    moment.signal.throwIfAborted();
    if (error instanceof PatternError || error instanceof SlowSchemaError) {
      dependencies.log.warn({ ...describeSkill(skill), reason: error.name }, 'skill schema unsupported');
      return {
        ...failed(moment),
        status: null,
        error: `${error.message} Change the parameters of the skill.`,
      };
    }
    const isFetchError = error instanceof FetchError;
    // The message of a FetchError contains the URL, which may hold a secret of the owner.
    const reason = isFetchError ? { reason: error.code } : { err: error };
    dependencies.log.warn({ ...describeSkill(skill), ...reason }, 'skill call failed');
    return {
      ...failed(moment),
      status: null,
      error: isFetchError ? describeFetchError(error) : 'The call failed with an internal error.',
    };
  }
}

function withoutCall(finding: string): HttpSkillResult {
  return { outcome: { reply: null, finding, effects: [] }, status: null, error: null };
}

function failed({ language }: SkillMoment): Pick<HttpSkillResult, 'outcome'> {
  return { outcome: { reply: findText('skillFailure', language), finding: null, effects: [] } };
}

function describeFetchError({ code, message }: FetchError): string {
  return code === 'too_many_redirects'
    ? "The skill's server responded with a redirect. Redirects are not followed."
    : message;
}

function describeSkill({ id, workspaceId }: CallableSkill) {
  return { skill: id, workspace: workspaceId };
}
