import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { components, operations } from '../../../api/api-types.ts';
import { answer, api, finish } from '../../../api/client.ts';

type Schemas = components['schemas'];
export type ListedChangeSet = Schemas['ListedChangeSet'];
export type OpenedChangeSet = Schemas['OpenedChangeSet'];
export type ChangeItem = Schemas['ChangeItem'];
export type Trial = Schemas['ChangeSetTrial'];
export type TrialResult = Trial['results'][number];
export type Verdict = NonNullable<TrialResult['verdict']>;
export type Change = NonNullable<
  operations['stageChange']['requestBody']
>['content']['application/json']['change'];

const base = '/admin/v1/workspaces/{workspace_id}/change-sets';
const one = `${base}/{change_set_id}` as const;

/** The live stream names changes of a set by this word. */
const keyOf = (workspace: string) => ['changes', workspace] as const;
/** How often is asked for the state of a run that is going, or of documents that are read. */
const POLL_MS = 1_000;

export interface SetAddress {
  readonly workspace: string;
  readonly id: string;
}

const at = ({ workspace, id }: SetAddress) => ({
  params: { path: { workspace_id: workspace, change_set_id: id } },
});

/** The newest sets. */
export const setsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [...keyOf(workspace), 'list'],
    queryFn: ({ signal }) =>
      answer(api.GET(base, { params: { path: { workspace_id: workspace }, query: { limit: 100 } }, signal })),
  });

export const setQuery = (address: SetAddress) =>
  queryOptions({
    queryKey: [...keyOf(address.workspace), 'set', address.id],
    queryFn: ({ signal }) => answer(api.GET(one, { ...at(address), signal })),
    refetchInterval: ({ state }) => (isGoing(state.data) ? POLL_MS : false),
  });

function isGoing(set: OpenedChangeSet | undefined): boolean {
  return (
    set?.trial?.state === 'running' ||
    set?.items.some(({ status }) => status === 'queued' || status === 'indexing') === true
  );
}

/** An action on a set. */
export type SetAct =
  | { readonly act: 'publish' | 'undo' | 'take-over' | 'try' }
  | { readonly act: 'stage'; readonly change: Change }
  | { readonly act: 'take-out'; readonly item: string }
  | { readonly act: 'judge'; readonly question: string; readonly verdict: Verdict | null };

const actsOf = (set: string) => ['act-on-set', set] as const;

/** Returns whether something is done with a set now. The cache knows it before the second of two quick clicks is drawn. */
export function useIsActing(set: string): () => boolean {
  const client = useQueryClient();
  return useCallback(() => client.isMutating({ mutationKey: actsOf(set) }) > 0, [client, set]);
}

/** Changes a set, and reads it again. */
export function useActOnSet(address: SetAddress) {
  const client = useQueryClient();
  const path = { workspace_id: address.workspace, change_set_id: address.id };
  return useMutation({
    mutationKey: actsOf(address.id),
    mutationFn: async (wanted: SetAct): Promise<unknown> => {
      switch (wanted.act) {
        case 'publish':
          return answer(api.POST(`${one}/publish`, at(address)));
        case 'undo':
          return answer(api.POST(`${one}/undo`, at(address)));
        case 'take-over':
          return answer(api.POST(`${one}/take-over`, at(address)));
        case 'try':
          return answer(api.POST(`${one}/trials`, at(address)));
        case 'stage':
          return answer(api.POST(`${one}/changes`, { ...at(address), body: { change: wanted.change } }));
        case 'take-out':
          return answer(
            api.DELETE(`${one}/changes/{item_id}`, { params: { path: { ...path, item_id: wanted.item } } }),
          );
        case 'judge':
          return answer(
            api.PUT(`${one}/answers/{question_id}`, {
              params: { path: { ...path, question_id: wanted.question } },
              body: { verdict: wanted.verdict },
            }),
          );
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(address.workspace) }),
  });
}

export function useDiscardSet(address: SetAddress) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => finish(api.DELETE(one, at(address))),
    onSettled: () => client.invalidateQueries({ queryKey: [...keyOf(address.workspace), 'list'] }),
  });
}

interface Staging {
  readonly change: Change | null;
  /** The name of a new set. */
  readonly name: string;
  /** Begins a new set in any case, and tries it. */
  readonly tries?: boolean;
}

/** Puts a change into the newest staged set, or into a new one. Returns the id of the set. */
export function useStage(workspace: string) {
  const client = useQueryClient();
  const inWorkspace = { path: { workspace_id: workspace } };
  const mutationKey = ['stage-change', workspace];
  const staging = useMutation({
    mutationKey,
    mutationFn: async ({ change, name, tries = false }: Staging): Promise<string> => {
      const wanted = { limit: 1, state: 'staged' } as const;
      const known =
        tries || change === null
          ? undefined
          : (await answer(api.GET(base, { params: { ...inWorkspace, query: wanted } }))).change_sets[0];
      if (known !== undefined && change !== null) {
        await answer(api.POST(`${one}/changes`, { ...at({ workspace, id: known.id }), body: { change } }));
        return known.id;
      }
      const body = { name, ...(change !== null && { change }) };
      const { id } = await answer(api.POST(base, { params: inWorkspace, body }));
      // Without test questions there is nothing to ask: the set says so.
      if (tries) await answer(api.POST(`${one}/trials`, at({ workspace, id }))).catch(() => null);
      return id;
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
  // A second click would begin a second set.
  const mutate = (...given: Parameters<typeof staging.mutate>) => {
    if (client.isMutating({ mutationKey }) === 0) staging.mutate(...given);
  };
  return { ...staging, mutate };
}

/** An opened set, with what is done with it. */
export interface SetProps {
  readonly workspace: string;
  readonly set: OpenedChangeSet;
  readonly act: ReturnType<typeof useActOnSet>;
}
