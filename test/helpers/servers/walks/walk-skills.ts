import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const skills = '/admin/v1/workspaces/{workspace_id}/skills';
const skill = `${skills}/{skill_id}` as const;

/** Adds a skill, tries it, changes it and deletes it. */
export async function walkSkills(operator: ApiClient, workspace_id: string): Promise<void> {
  const path = { workspace_id };
  const made = await operator.POST(skills, {
    params: { path },
    body: {
      name: 'glaze_stock',
      description: 'Looks up whether a glaze is in stock.',
      parameters: { type: 'object', properties: { glaze: { type: 'string' } }, required: ['glaze'] },
      url: 'https://127.0.0.1/glaze-stock',
    },
  });
  expect([made.response.status, made.data?.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const one = { ...path, skill_id: made.data?.id ?? '' };
  const listed = await operator.GET(skills, { params: { path } });
  expect(listed.data?.skills.map(({ id }) => id)).toEqual([one.skill_id]);
  const tried = await operator.POST(`${skill}/test`, {
    params: { path: one },
    body: { arguments: { glaze: 'celadon' } },
  });
  expect(tried.data).toMatchObject({ status: null, error: '127.0.0.1 is not a public address.' });
  const changed = await operator.PATCH(skill, { params: { path: one }, body: { enabled: false } });
  expect(changed.data).toMatchObject({ name: 'glaze_stock', enabled: false });
  const read = await operator.GET(skill, { params: { path: one } });
  expect(read.data).toEqual(changed.data);
  await operator.DELETE(skill, { params: { path: one, query: { restorable: 'true' } } });
  const restored = await operator.POST(`${skill}/restore`, { params: { path: one } });
  expect(restored.data).toEqual(changed.data);
  const deleted = await operator.DELETE(skill, { params: { path: one } });
  expect(deleted.response.status).toBe(204);
}
