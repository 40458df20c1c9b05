import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { components } from '../../../api/api-types.ts';
import { answer, api } from '../../../api/client.ts';

type Schemas = components['schemas'];
export type Gap = Schemas['Gap'];
export type GapDraft = Schemas['GapDraft'];

const base = '/admin/v1/workspaces/{workspace_id}/gaps';
const POLL_MS = 1_000;
const pageSize = 30;

const keyOf = (workspace: string) => ['gaps', workspace] as const;
const at = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });
const pathOf = (workspace: string, gap: string) => ({
  params: { path: { workspace_id: workspace, gap_id: gap } },
});

interface GapFilters {
  readonly state: Gap['state'];
  readonly kind: Gap['kind'] | null;
}

/** The gaps, most asked first, in pages. The list is loaded again while a gap is checked. */
export function gapsQuery(workspace: string, { state, kind }: GapFilters) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(workspace), 'list', state, kind],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(base, {
          params: {
            path: { workspace_id: workspace },
            query: {
              limit: pageSize,
              state,
              ...(kind !== null && { kind }),
              ...(pageParam !== '' && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ gaps }) => gaps.some(isChecked)) === true ? POLL_MS : false,
  });
}

function isChecked({ check }: Gap): boolean {
  return check?.running === true;
}

/** One gap with its questions. */
export const gapQuery = (workspace: string, gap: string) =>
  queryOptions({
    queryKey: [...keyOf(workspace), 'gap', gap],
    queryFn: ({ signal }) => answer(api.GET(`${base}/{gap_id}`, { ...pathOf(workspace, gap), signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isChecked(data) ? POLL_MS : false),
  });

/**
 * Has new questions sorted, and asks how many are left until none is. The list of gaps is loaded again when some are
 * sorted.
 */
export const refreshQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['gaps-refresh', workspace],
    queryFn: ({ signal }) => answer(api.POST(`${base}/refresh`, { ...at(workspace), signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.waiting > 0 ? POLL_MS : false),
    staleTime: 0,
  });

export const gapDraftQuery = (workspace: string, gap: string) =>
  queryOptions({
    queryKey: [...keyOf(workspace), 'draft', gap],
    queryFn: ({ signal }) => answer(api.GET(`${base}/{gap_id}/draft`, { ...pathOf(workspace, gap), signal })),
    // The draft must not change while somebody edits it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

function useGapChange<Change>(workspace: string, mutationFn: (change: Change) => Promise<Gap>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export const useChangeGap = (workspace: string) =>
  useGapChange(workspace, ({ gap, state }: { readonly gap: string; readonly state: Gap['state'] }) =>
    answer(api.PATCH(`${base}/{gap_id}`, { ...pathOf(workspace, gap), body: { state } })),
  );

export const useMergeGaps = (workspace: string) =>
  useGapChange(workspace, ({ gap, others }: { readonly gap: string; readonly others: readonly string[] }) =>
    answer(api.POST(`${base}/{gap_id}/merge`, { ...pathOf(workspace, gap), body: { gap_ids: [...others] } })),
  );

/** Asks the questions of a gap again, in the background; with the answer that was written for it. */
export const useCheckGap = (workspace: string) =>
  useGapChange(workspace, ({ gap, answer: id }: { readonly gap: string; readonly answer: string | null }) =>
    answer(api.POST(`${base}/{gap_id}/check`, { ...pathOf(workspace, gap), body: { answer_id: id } })),
  );
