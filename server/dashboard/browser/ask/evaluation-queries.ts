import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { components, operations } from '../api/api-types.ts';
import { answer, api, finish } from '../api/client.ts';

type Schemas = components['schemas'];
export type Rehearsal = Schemas['Rehearsal'];
export type TestQuestion = Schemas['TestQuestion'];
export type TestRun = Schemas['TestRun'];
export type Outcome = NonNullable<TestQuestion['last']>['outcome'];

const base = '/admin/v1/workspaces/{workspace_id}';
const at = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });
const keyOf = (workspace: string) => ['evaluation', workspace] as const;
const pageSize = 50;
/** How often is asked for the state of a run that is going. */
const POLL_MS = 1_000;

/** The models and audiences that a question on trial can be asked with. */
export const choicesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['rehearsal-choices', workspace],
    queryFn: ({ signal }) => answer(api.GET(`${base}/ask`, { ...at(workspace), signal })),
    staleTime: 60_000,
  });

export interface Asked {
  readonly query: string;
  readonly audience: readonly string[];
  readonly language: string | null;
  readonly model: string | null;
  /** The channel that shows the answer. Absent or null: none. */
  readonly channel?: { readonly id: string; readonly name: string } | null;
}

/** Asks a question on trial: nothing is stored or counted. */
export function useRehearsal(workspace: string) {
  return useMutation({
    mutationFn: ({ audience, channel = null, ...asked }: Asked) =>
      answer(
        api.POST(`${base}/ask`, {
          ...at(workspace),
          body: { ...asked, audience: [...audience], channel_id: channel?.id ?? null },
        }),
      ),
  });
}

type NewTestQuestions = NonNullable<operations['storeTestQuestions']['requestBody']>;
export type NewTestQuestion = NewTestQuestions['content']['application/json']['questions'][number];

/** Questions, or scripted customers. */
export type TestKind = 'question' | 'script';

/** Stores test questions, at most 500 in a request. Returns how many are new. */
export function useStoreQuestions(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (questions: readonly NewTestQuestion[]) => {
      let added = 0;
      for (let from = 0; from < questions.length; from += 500) {
        const body = { questions: questions.slice(from, from + 500) };
        added += (await answer(api.POST(`${base}/test-questions`, { ...at(workspace), body }))).added;
      }
      return added;
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useDeleteQuestion(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      finish(
        api.DELETE(`${base}/test-questions/{question_id}`, {
          params: { path: { workspace_id: workspace, question_id: id } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

/** The test questions with their newest outcome, newest first, in pages. */
export function questionsQuery(
  workspace: string,
  { outcome, kind }: { readonly outcome: Outcome | null; readonly kind: TestKind | null },
) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(workspace), 'questions', outcome, kind],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(`${base}/test-questions`, {
          params: {
            path: { workspace_id: workspace },
            query: {
              limit: pageSize,
              ...(outcome !== null && { outcome }),
              ...(kind !== null && { kind }),
              ...(pageParam !== '' && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
}

/** The newest runs. */
export function runsQuery(workspace: string) {
  return queryOptions({
    queryKey: [...keyOf(workspace), 'runs'],
    queryFn: ({ signal }) =>
      answer(
        api.GET(`${base}/test-runs`, {
          params: { path: { workspace_id: workspace }, query: { limit: 30 } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.runs.some((run) => run.state === 'running') === true ? POLL_MS : false,
  });
}

/** Loads the questions again when a run ends: their newest outcomes are others. */
export function useFreshQuestions(workspace: string, newest: TestRun | undefined): void {
  const client = useQueryClient();
  const wasRunning = useRef(false);
  const isRunning = newest?.state === 'running';
  useEffect(() => {
    const hasEnded = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    if (hasEnded) void client.invalidateQueries({ queryKey: [...keyOf(workspace), 'questions'] });
  }, [client, workspace, isRunning]);
}

export function useStartRun(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST(`${base}/test-runs`, at(workspace))),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useCancelRun(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      finish(
        api.POST(`${base}/test-runs/{run_id}/cancel`, {
          params: { path: { workspace_id: workspace, run_id: id } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}
