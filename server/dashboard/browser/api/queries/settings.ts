import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';
import { send } from '../send.ts';
import { meQuery } from './me.ts';

export type Workspace = components['schemas']['Workspace'];
type WorkspaceChange = NonNullable<
  operations['updateWorkspace']['requestBody']
>['content']['application/json'];
export type Plan = Workspace['plan'];
type Settings = NonNullable<WorkspaceChange['settings']>;

const at = (id: string) => ({ params: { path: { workspace_id: id } } });

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}', at(id))),
  });

/** The form of the settings, which the server makes from the schema that validates them. */
export const settingsSchemaQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'settings-schema'],
    queryFn: () => send<JsonSchema>(`/admin/v1/workspaces/${id}/settings-schema`),
    staleTime: 300_000,
  });

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'usage'],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}/usage', at(id))),
  });

/** The confidence of the answers of the last 30 days. */
export const probabilitiesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'answer-probabilities'],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}/answer_probabilities', at(id))),
  });

/** The correction of how sure answers are: the one in use and the one that is offered. */
export const correctionQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'correction'],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}/correction', at(id))),
  });

type CorrectionChange =
  | { readonly act: 'use' | 'decline'; readonly offeredAt: string }
  | { readonly act: 'remove' };

export function useChangeCorrection(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: CorrectionChange) => {
      if (change.act === 'remove')
        return answer(api.DELETE('/admin/v1/workspaces/{workspace_id}/correction', at(id)));
      const chosen = { ...at(id), body: { offered_at: change.offeredAt } };
      return change.act === 'use'
        ? answer(api.PUT('/admin/v1/workspaces/{workspace_id}/correction', chosen))
        : answer(api.POST('/admin/v1/workspaces/{workspace_id}/correction/decline', chosen));
    },
    // The shares beside the limits count with the correction, and an offer that is gone is read again.
    onSettled: () => client.invalidateQueries({ queryKey: ['workspace', id] }),
  });
}

export const identitySecretQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'identity-secret'],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}/identity_secret', at(id))),
  });

/** Changes fields of the workspace. Settings are named by the schema of the server, which also checks them. */
export function useChangeWorkspace(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { readonly name?: string; readonly plan?: Plan; readonly settings?: Settings }) =>
      answer(api.PATCH('/admin/v1/workspaces/{workspace_id}', { ...at(id), body: change })),
    onSuccess: (workspace) => {
      client.setQueryData(workspaceQuery(id).queryKey, workspace);
      void client.invalidateQueries({ queryKey: ['workspace', id] });
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
}

export const rotateIdentitySecret = (id: string, graceSeconds: number) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/identity_secret/rotate', {
      ...at(id),
      body: { grace_seconds: graceSeconds },
    }),
  );

export const deleteWorkspace = (id: string) =>
  finish(api.DELETE('/admin/v1/workspaces/{workspace_id}', at(id)));
