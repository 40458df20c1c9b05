import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components, operations } from '../../api/api-types.ts';
import { answer, api } from '../../api/client.ts';

type Schemas = components['schemas'];
export type CountedConversation = Schemas['CountedConversation'];
export type ListQuery = operations['listCountedConversations']['parameters']['query'];
export type CountedKind = ListQuery['counts'];
export type Panel = operations['exportInsights']['parameters']['query']['panel'];
export type Breakdown = operations['getInsightBreakdown']['parameters']['query']['by'];
export type Outcome = NonNullable<CountedConversation['outcome']>;

/** The range and the filters of the page. */
export type Scope = Omit<ListQuery, 'counts' | 'limit' | 'cursor'>;

const base = '/admin/v1/workspaces/{workspace_id}/insights';
const keyOf = (workspace: string, panel: string, scope: object) => ['insights', workspace, panel, scope];
const paramsOf = <Query>(workspace: string, query: Query) => ({
  params: { path: { workspace_id: workspace }, query },
});
/** A panel keeps its numbers until the new ones are there, so that nothing jumps. */
const shared = { placeholderData: keepPreviousData, staleTime: 60_000 };

export const coverageQuery = (workspace: string) =>
  queryOptions({
    queryKey: keyOf(workspace, 'coverage', {}),
    queryFn: ({ signal }) => answer(api.GET(base, { params: { path: { workspace_id: workspace } }, signal })),
  });

export const outcomesQuery = (workspace: string, scope: Scope) =>
  queryOptions({
    queryKey: keyOf(workspace, 'outcomes', scope),
    queryFn: ({ signal }) => answer(api.GET(`${base}/outcomes`, { ...paramsOf(workspace, scope), signal })),
    ...shared,
  });

export const dailyQuery = (workspace: string, scope: Scope) =>
  queryOptions({
    queryKey: keyOf(workspace, 'questions', scope),
    queryFn: ({ signal }) => answer(api.GET(`${base}/questions`, { ...paramsOf(workspace, scope), signal })),
    ...shared,
  });

export const breakdownQuery = (workspace: string, scope: Scope, by: Breakdown) =>
  queryOptions({
    queryKey: keyOf(workspace, by, scope),
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/breakdown`, { ...paramsOf(workspace, { ...scope, by }), signal })),
    ...shared,
  });

export const documentsQuery = (workspace: string, scope: Scope) =>
  queryOptions({
    queryKey: keyOf(workspace, 'documents', scope),
    queryFn: ({ signal }) => answer(api.GET(`${base}/documents`, { ...paramsOf(workspace, scope), signal })),
    ...shared,
  });

export const peopleQuery = (workspace: string, scope: Scope) =>
  queryOptions({
    queryKey: keyOf(workspace, 'people', scope),
    queryFn: ({ signal }) => answer(api.GET(`${base}/people`, { ...paramsOf(workspace, scope), signal })),
    ...shared,
  });

export const satisfactionQuery = (workspace: string, scope: Scope) =>
  queryOptions({
    queryKey: keyOf(workspace, 'satisfaction', scope),
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/satisfaction`, { ...paramsOf(workspace, scope), signal })),
    ...shared,
  });

export const costQuery = (workspace: string, scope: Scope) =>
  queryOptions({
    queryKey: keyOf(workspace, 'cost', scope),
    queryFn: ({ signal }) => answer(api.GET(`${base}/cost`, { ...paramsOf(workspace, scope), signal })),
    ...shared,
  });

/** The conversations behind a number, latest end first, in pages. */
export const countedQuery = (workspace: string, scope: Scope, counts: CountedKind) =>
  infiniteQueryOptions({
    queryKey: keyOf(workspace, `list ${counts}`, scope),
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(`${base}/conversations`, {
          ...paramsOf(workspace, {
            ...{ ...scope, counts, limit: 50 },
            ...(pageParam !== '' && { cursor: pageParam }),
          }),
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** The address of a panel as a file. */
export function csvAddress(workspace: string, scope: Scope, panel: Panel): string {
  const search = new URLSearchParams({ ...toSearch(scope), panel });
  return `/admin/v1/workspaces/${workspace}/insights.csv?${search}`;
}

/** The scope as it stands in addresses. */
export function toSearch(scope: Scope): Record<string, string> {
  return Object.fromEntries(
    Object.entries(scope).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
