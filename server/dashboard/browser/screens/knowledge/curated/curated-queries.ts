import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { components, operations } from '../../../api/api-types.ts';
import { answer, api, finish } from '../../../api/client.ts';

type Schemas = components['schemas'];
export type CuratedAnswer = Schemas['CuratedAnswer'];
export type NewCuratedAnswer =
  operations['createCuratedAnswer']['requestBody']['content']['application/json'];

const base = '/admin/v1/workspaces/{workspace_id}/curated-answers';
const POLL_MS = 1_000;
const pageSize = 50;

const keyOf = (workspace: string) => ['curated', workspace] as const;
const at = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });
const pathOf = (workspace: string, id: string) => ({
  params: { path: { workspace_id: workspace, answer_id: id } },
});

/** The address of all answers as CSV. */
export const csvAddress = (workspace: string) => `/admin/v1/workspaces/${workspace}/curated-answers.csv`;

/** The answers, last changed first, in pages. The list is loaded again while one of them is being indexed. */
export function curatedQuery(workspace: string, search: string) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(workspace), 'list', search],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(base, {
          params: {
            path: { workspace_id: workspace },
            query: {
              limit: pageSize,
              ...(search !== '' && { q: search }),
              ...(pageParam !== '' && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ answers }) => answers.some(isPending)) === true ? POLL_MS : false,
  });
}

function isPending({ status }: CuratedAnswer): boolean {
  return status === 'queued' || status === 'indexing';
}

export const curatedAnswerQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(workspace), 'answer', id],
    queryFn: ({ signal }) => answer(api.GET(`${base}/{answer_id}`, { ...pathOf(workspace, id), signal })),
  });

/** Stores a new answer, or changes the one with this id. */
export function useSaveCurated(workspace: string, id: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewCuratedAnswer) =>
      answer(
        id === null
          ? api.POST(base, { ...at(workspace), body })
          : api.PATCH(`${base}/{answer_id}`, { ...pathOf(workspace, id), body }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useDeleteCurated(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, action }: { readonly id: string; readonly action: 'delete' | 'restore' }) => {
      await (action === 'delete'
        ? finish(
            api.DELETE(`${base}/{answer_id}`, {
              params: { ...pathOf(workspace, id).params, query: { restorable: 'true' } },
            }),
          )
        : answer(api.POST(`${base}/{answer_id}/restore`, pathOf(workspace, id))));
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useImportCurated(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (csv: string) => answer(api.POST(`${base}/import`, { ...at(workspace), body: { csv } })),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export type CuratedDraft = NonNullable<
  operations['rehearseAnswer']['requestBody']['content']['application/json']['curated']
>;

/** Asks a question on trial, with an answer that is not stored yet. */
export function useTryCurated(workspace: string) {
  return useMutation({
    mutationFn: (asked: {
      readonly query: string;
      readonly audience: readonly string[];
      readonly curated: CuratedDraft;
    }) =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/ask', {
          ...at(workspace),
          body: { query: asked.query, audience: [...asked.audience], curated: asked.curated },
        }),
      ),
  });
}
