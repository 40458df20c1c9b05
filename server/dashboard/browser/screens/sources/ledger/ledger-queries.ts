import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components, operations } from '../../../api/api-types.ts';
import { answer, api, finish } from '../../../api/client.ts';

type Schemas = components['schemas'];
export type Ledger = Schemas['SourceLedger'];
export type LedgerBlock = Schemas['LedgerBlock'];
export type SourceRule = Schemas['SourceRule'];
export type LedgerAnswer = NonNullable<Ledger['answers']>['latest'][number];
export type NewRule = operations['createSourceRule']['requestBody']['content']['application/json'];

const base = '/admin/v1/workspaces/{workspace_id}/sources/{source_id}';
const cuttingMs = 1_500;
const calmMs = 30_000;

interface Place {
  readonly workspace: string;
  readonly source: string;
}

const pathOf = ({ workspace, source }: Place) => ({ workspace_id: workspace, source_id: source });
/** Below that of the source, whose changes are those of its pages too. */
const keyOf = ({ workspace, source }: Place) => ['sources', workspace, source, 'ledger'] as const;

/** Asked again while the page is about to be cut anew, or not answered from its newest reading. */
export const ledgerQuery = (place: Place, key: string) =>
  queryOptions({
    queryKey: [...keyOf(place), key],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/ledger`, { params: { path: pathOf(place), query: { key } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.cut_now === false || data?.answered === 'earlier' ? cuttingMs : calmMs,
    placeholderData: keepPreviousData,
  });

/** Keeps or leaves out a block. */
export function useAddRule(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewRule) =>
      answer(api.POST(`${base}/rules`, { params: { path: pathOf(place) }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sources', place.workspace] }),
  });
}

/** Reads the page again at once, ahead of the list of a run. */
export function useReadAgain(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) =>
      answer(api.POST(`${base}/changed`, { params: { path: pathOf(place) }, body: { keys: [key] } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sources', place.workspace] }),
  });
}

export function useRemoveRule(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (rule: string) =>
      finish(
        api.DELETE(`${base}/rules/{rule_id}`, { params: { path: { ...pathOf(place), rule_id: rule } } }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sources', place.workspace] }),
  });
}

export const rulesQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'rules'],
    queryFn: ({ signal }) => answer(api.GET(`${base}/rules`, { params: { path: pathOf(place) }, signal })),
  });
