import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../api/api-types.ts';
import { answer, api, finish } from '../../../api/client.ts';

export type ModelSettings = components['schemas']['ModelSettings'];
export type ModelProvider = ModelSettings['providers'][number];
export type ChainedModel = ModelSettings['chosen'][number];
export type KeyTrial = components['schemas']['KeyTrial'];

/** The key lies below the workspace, so that a change of its settings reads the models again. */
const keyOf = (workspace: string) => ['workspace', workspace, 'models'];

export const modelsQuery = (workspace: string) =>
  queryOptions({
    queryKey: keyOf(workspace),
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/models', {
          params: { path: { workspace_id: workspace } },
        }),
      ),
  });

interface KeyPlace {
  readonly workspace: string;
  readonly provider: string;
}

const at = ({ workspace, provider }: KeyPlace) => ({
  params: { path: { workspace_id: workspace, provider } },
});

interface NewKey {
  readonly apiKey: string;
  readonly model: string;
  readonly isForced: boolean;
}

/** Tries a key, and stores it if it works or the person wants it stored anyway. */
export function useSaveKey(place: KeyPlace) {
  const reload = useReload(place.workspace);
  return useMutation({
    mutationFn: ({ apiKey, model, isForced }: NewKey) =>
      answer(
        api.PUT('/admin/v1/workspaces/{workspace_id}/model-keys/{provider}', {
          ...at(place),
          body: { api_key: apiKey, model, store_anyway: isForced },
        }),
      ),
    onSuccess: ({ stored }) => (stored ? reload() : undefined),
  });
}

export function useTryKey(place: KeyPlace) {
  const reload = useReload(place.workspace);
  return useMutation({
    mutationFn: (model: string) =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/model-keys/{provider}/try', {
          ...at(place),
          body: { model },
        }),
      ),
    onSettled: reload,
  });
}

export function useRemoveKey(place: KeyPlace) {
  const reload = useReload(place.workspace);
  return useMutation({
    mutationFn: () =>
      finish(api.DELETE('/admin/v1/workspaces/{workspace_id}/model-keys/{provider}', at(place))),
    onSettled: reload,
  });
}

function useReload(workspace: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf(workspace) });
}
