import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const base = '/admin/v1/workspaces/{workspace_id}';
const lackOfGap = { response: { status: 404 }, error: { code: 'gap_not_found' } };

/** Looks at what was answered and counted, and writes an answer, as an owner does. */
export async function walkAnswers(operator: ApiClient, workspace_id: string): Promise<void> {
  await walkLog(operator, workspace_id);
  await walkCurated(operator, workspace_id);
  await walkGaps(operator, workspace_id);
  await walkInsights(operator, workspace_id);
}

async function walkLog(operator: ApiClient, workspace_id: string): Promise<void> {
  const listed = await operator.GET(`${base}/answers`, {
    params: { path: { workspace_id }, query: { confidence: 'high', limit: 1 } },
  });
  const [found] = listed.data?.answers ?? [];
  const one = { params: { path: { workspace_id, message_id: found?.message_id ?? '' } } };
  const shown = await operator.GET(`${base}/answers/{message_id}`, one);
  expect(shown.data?.trace?.path).toBe('quoted');
  const judged = await operator.PUT(`${base}/answers/{message_id}/review`, {
    ...{ ...one, body: { verdict: 'right' } },
  });
  expect(judged.data?.review?.verdict).toBe('right');
  const replayed = await operator.POST(`${base}/answers/{message_id}/replay`, { ...one, body: {} });
  expect(replayed.data?.after.answer).toContain('nine days');
}

/** No worker sorts questions, so that there is no gap yet. */
async function walkGaps(operator: ApiClient, workspace_id: string): Promise<void> {
  const path = { workspace_id };
  expect((await operator.GET(`${base}/gaps`, { params: { path } })).data?.gaps).toEqual([]);
  expect((await operator.POST(`${base}/gaps/refresh`, { params: { path } })).response.status).toBe(202);
  const one = { params: { path: { workspace_id, gap_id: 'gap_none' } } };
  expect(await operator.GET(`${base}/gaps/{gap_id}`, one)).toMatchObject(lackOfGap);
  expect(await operator.GET(`${base}/gaps/{gap_id}/draft`, one)).toMatchObject(lackOfGap);
  const changed = await operator.PATCH(`${base}/gaps/{gap_id}`, { ...one, body: { state: 'planned' } });
  expect(changed).toMatchObject(lackOfGap);
  const merged = await operator.POST(`${base}/gaps/{gap_id}/merge`, {
    ...{ ...one, body: { gap_ids: ['gap_other'] } },
  });
  expect(merged).toMatchObject(lackOfGap);
  const checked = await operator.POST(`${base}/gaps/{gap_id}/check`, { ...one, body: { answer_id: null } });
  expect(checked).toMatchObject(lackOfGap);
}

async function walkCurated(operator: ApiClient, workspace_id: string): Promise<void> {
  const all = { params: { path: { workspace_id } } };
  const written = await operator.POST(`${base}/curated-answers`, {
    ...{ ...all, body: { question: 'Can I pay by invoice?', answer: 'Yes, from your second order on.' } },
  });
  expect(written.response.status).toBe(201);
  const one = { params: { path: { workspace_id, answer_id: written.data?.id ?? '' } } };
  const changed = await operator.PATCH(`${base}/curated-answers/{answer_id}`, {
    ...{ ...one, body: { phrasings: ['invoice'] } },
  });
  expect(changed.data?.phrasings).toEqual(['invoice']);
  const imported = await operator.POST(`${base}/curated-answers/import`, {
    ...{ ...all, body: { csv: 'question,answer\nDo you ship gifts?,Yes.\n' } },
  });
  expect(imported.data).toEqual({ added: 1, changed: 0, faults: [] });
  const exported = await operator.GET(`${base}/curated-answers.csv`, { ...all, parseAs: 'text' });
  expect(exported.data).toContain('Do you ship gifts?');
  const removed = await operator.DELETE(`${base}/curated-answers/{answer_id}`, {
    params: { ...one.params, query: { restorable: 'true' } },
  });
  expect(removed.response.status).toBe(204);
  const restored = await operator.POST(`${base}/curated-answers/{answer_id}/restore`, one);
  expect(restored.data?.question).toBe('Can I pay by invoice?');
  const shown = await operator.GET(`${base}/curated-answers/{answer_id}`, one);
  expect(shown.data?.question).toBe('Can I pay by invoice?');
  expect((await operator.GET(`${base}/curated-answers`, all)).data?.total).toBe(2);
}

async function walkInsights(operator: ApiClient, workspace_id: string): Promise<void> {
  const all = { params: { path: { workspace_id } } };
  const byHour = { params: { path: { workspace_id }, query: { by: 'hour' } } } as const;
  const ended = { params: { path: { workspace_id }, query: { counts: 'ended' } } } as const;
  const panels = await Promise.all([
    operator.GET(`${base}/insights`, all),
    operator.GET(`${base}/insights/outcomes`, all),
    operator.GET(`${base}/insights/questions`, all),
    operator.GET(`${base}/insights/documents`, all),
    operator.GET(`${base}/insights/people`, all),
    operator.GET(`${base}/insights/satisfaction`, all),
    operator.GET(`${base}/insights/cost`, all),
    operator.GET(`${base}/insights/breakdown`, byHour),
    operator.GET(`${base}/insights/conversations`, ended),
  ]);
  expect(panels.map(({ response }) => response.status)).toEqual(panels.map(() => 200));
  const exported = await operator.GET(`${base}/insights.csv`, {
    params: { path: { workspace_id }, query: { panel: 'outcomes' } },
    parseAs: 'text',
  });
  expect(exported.data).toContain('"outcome","conversations"');
  const { response } = await operator.GET(`${base}/insights/reports/{month}`, {
    params: { path: { workspace_id, month: '2026-01' } },
  });
  expect(response.status).toBeLessThan(500);
}
