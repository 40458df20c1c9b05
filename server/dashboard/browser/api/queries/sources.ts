import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

type Schemas = components['schemas'];
export type Source = Schemas['KnowledgeSource'];
export type SourceRun = Schemas['SourceRun'];
export type SourceItem = Schemas['SourceItem'];
export type SourceHold = Schemas['SourceHold'];
export type SourceTrouble = Schemas['SourceTrouble'];
export type SourceKind = Schemas['SourceKind'];
export type SourcePreview = Schemas['SourcePreview'];
export type NewSource = operations['createSource']['requestBody']['content']['application/json'];
type SourceChange = operations['changeSource']['requestBody']['content']['application/json'];
export type PreviewRequest = operations['previewSource']['requestBody']['content']['application/json'];

const base = '/admin/v1/workspaces/{workspace_id}/sources';
const goingMs = 1_500;
const calmMs = 20_000;
const pageSize = 50;

interface Place {
  readonly workspace: string;
  readonly source: string;
}

const pathOf = ({ workspace, source }: Place) => ({
  params: { path: { workspace_id: workspace, source_id: source } },
});
const keyOf = (workspace: string) => ['sources', workspace] as const;

/** Whether a run waits or reads. */
export const isRunGoing = ({ state }: SourceRun): boolean => state === 'queued' || state === 'running';

/** Whether the newest run of a source waits or reads. */
export function isGoing({ last_run: run }: Pick<Source, 'last_run'>): boolean {
  return run !== null && isRunGoing(run);
}

/** The query also repeats after a run, until its documents are in the index. */
const isMoving = (source: Source): boolean => isGoing(source) || source.state === 'catching_up';

export const sourceKindsQuery = queryOptions({
  queryKey: ['source-kinds'],
  queryFn: () => answer(api.GET('/admin/v1/source-kinds')),
  staleTime: 600_000,
});

/** Asked again while a run is going. */
export const sourcesQuery = (workspace: string) =>
  queryOptions({
    queryKey: [...keyOf(workspace), 'list'],
    queryFn: ({ signal }) =>
      answer(api.GET(base, { params: { path: { workspace_id: workspace }, query: { limit: 100 } }, signal })),
    refetchInterval: ({ state }) => (state.data?.sources.some(isMoving) === true ? goingMs : calmMs),
  });

export const sourceQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place.workspace), place.source, 'one'],
    queryFn: ({ signal }) => answer(api.GET(`${base}/{source_id}`, { ...pathOf(place), signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving(data) ? goingMs : calmMs),
  });

/** The newest run and its state. A change of it makes the lists of past runs stale. */
const seenOf = ({ last_run: run, state }: Source) => `${run?.id} ${run?.state} ${state}`;
const placeOf = ({ workspace_id: workspace, id }: Source): Place => ({ workspace, source: id });

/** The latest runs. */
export const runsQuery = (source: Source) =>
  queryOptions({
    queryKey: [...keyOf(source.workspace_id), source.id, 'runs', seenOf(source)],
    queryFn: ({ signal }) =>
      answer(
        api.GET(`${base}/{source_id}/runs`, {
          params: { ...pathOf(placeOf(source)).params, query: { limit: pageSize } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export interface ItemFilters {
  readonly state?: SourceItem['state'];
  readonly q?: string;
}

/** The items of a source by filters, in pages. */
export const itemsQuery = (source: Source, filters: ItemFilters) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(source.workspace_id), source.id, 'items', filters, seenOf(source)],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(`${base}/{source_id}/items`, {
          params: {
            ...pathOf(placeOf(source)).params,
            query: { limit: pageSize, ...filters, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  });

/** Reads a few items of a source and stores nothing. */
export function usePreviewSource(workspace: string) {
  return useMutation({
    mutationFn: (body: PreviewRequest) =>
      answer(api.POST(`${base}/preview`, { params: { path: { workspace_id: workspace } }, body })),
  });
}

export function useCreateSource(workspace: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewSource) =>
      answer(api.POST(base, { params: { path: { workspace_id: workspace } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useChangeSource(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SourceChange) => answer(api.PATCH(`${base}/{source_id}`, { ...pathOf(place), body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(place.workspace) }),
  });
}

export type SourceAction = 'run' | 'run_full' | 'cancel' | 'pause' | 'resume' | 'apply' | 'discard';

export function useSourceAction(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: SourceAction): Promise<Source> => {
      if (action === 'run' || action === 'run_full') {
        const query = action === 'run_full' ? { full: 'true' as const } : {};
        return answer(api.POST(`${base}/{source_id}/run`, { params: { ...pathOf(place).params, query } }));
      }
      if (action === 'apply') return answer(api.POST(`${base}/{source_id}/apply`, pathOf(place)));
      if (action === 'discard') return answer(api.POST(`${base}/{source_id}/discard`, pathOf(place)));
      if (action === 'cancel') return answer(api.POST(`${base}/{source_id}/cancel`, pathOf(place)));
      if (action === 'pause') return answer(api.POST(`${base}/{source_id}/pause`, pathOf(place)));
      return answer(api.POST(`${base}/{source_id}/resume`, pathOf(place)));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(place.workspace) }),
  });
}

export function useDeleteSource(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (documents: 'keep' | 'delete') =>
      finish(
        api.DELETE(`${base}/{source_id}`, {
          params: { ...pathOf(place).params, query: { documents } },
        }),
      ),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: [...keyOf(place.workspace), place.source] });
      await queries.invalidateQueries({ queryKey: keyOf(place.workspace) });
      await queries.invalidateQueries({ queryKey: ['documents', place.workspace] });
    },
  });
}

/** The kinds whose tools tell of changes. */
export const hookKinds = ['github', 'zendesk', 'notion'] as const;
export type HookKind = (typeof hookKinds)[number];

const hookKey = ({ workspace, source }: Place) => [...keyOf(workspace), source, 'webhook'] as const;

/** Asked often while the tool is awaited, because a person waits for it. */
export const sourceHookQuery = (place: Place) =>
  queryOptions({
    queryKey: hookKey(place),
    queryFn: ({ signal }) => answer(api.GET(`${base}/{source_id}/webhook`, { ...pathOf(place), signal })),
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? goingMs : calmMs),
  });

export type HookAction =
  | { readonly do: 'set-up'; readonly secret?: string }
  | { readonly do: 'show' }
  | { readonly do: 'remove' };

/** Its answer holds the secret, which is not kept anywhere else. */
export function useSourceHook(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: HookAction) => {
      const path = pathOf(place);
      if (action.do === 'show') return answer(api.POST(`${base}/{source_id}/webhook/secret`, path));
      if (action.do === 'remove') return answer(api.DELETE(`${base}/{source_id}/webhook`, path));
      const body = action.secret === undefined ? {} : { secret: action.secret };
      return answer(api.PUT(`${base}/{source_id}/webhook`, { ...path, body }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: hookKey(place) }),
  });
}
