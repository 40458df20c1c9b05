import { queryOptions } from '@tanstack/react-query';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type Skill = components['schemas']['Skill'];
export type SkillTrial = operations['testSkill']['responses']['200']['content']['application/json'];

export interface SkillFields {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly parameters: Record<string, unknown>;
  readonly timeout_seconds: number;
  readonly runs_for: Skill['runs_for'];
  readonly enabled: boolean;
}

const skillPath = (workspace: string, skill: string) => ({
  params: { path: { workspace_id: workspace, skill_id: skill } },
});

export const skillsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['skills', workspace],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/skills', {
          params: { path: { workspace_id: workspace }, query: { limit: 100 } },
        }),
      ),
  });

export const createSkill = (workspace: string, skill: SkillFields) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/skills', {
      params: { path: { workspace_id: workspace } },
      body: skill,
    }),
  );

export const changeSkill = (workspace: string, skill: string, change: Partial<Omit<SkillFields, 'name'>>) =>
  answer(
    api.PATCH('/admin/v1/workspaces/{workspace_id}/skills/{skill_id}', {
      ...skillPath(workspace, skill),
      body: change,
    }),
  );

export const testSkill = (workspace: string, skill: string, given: Record<string, unknown>) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/test', {
      ...skillPath(workspace, skill),
      body: { arguments: given },
    }),
  );

export const rotateSkill = (workspace: string, skill: string, graceSeconds: number) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/rotate', {
      ...skillPath(workspace, skill),
      body: { grace_seconds: graceSeconds },
    }),
  );

/** Can be taken back for a minute. */
export const deleteSkill = (workspace: string, skill: string) =>
  finish(
    api.DELETE('/admin/v1/workspaces/{workspace_id}/skills/{skill_id}', {
      params: { ...skillPath(workspace, skill).params, query: { restorable: 'true' } },
    }),
  );

export const restoreSkill = (workspace: string, skill: string) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/restore', skillPath(workspace, skill)),
  );
