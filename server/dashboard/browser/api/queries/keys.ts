import { queryOptions } from '@tanstack/react-query';
import type { components } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type Key = components['schemas']['Key'];

export interface KeyFields {
  readonly name: string;
  readonly rate_limit_minute: number;
  readonly rate_limit_day: number;
  /** In CIDR notation. Empty: the key may be used from everywhere. */
  readonly allowed_networks: readonly string[];
  readonly expires_at: string | null;
}

export type KeyScope = Key['scopes'][number];

/** The rights of a key, which are chosen when it is made and stay as they are. */
export interface KeyRights {
  readonly scopes: readonly KeyScope[];
  readonly workspaces: Key['workspaces'];
  readonly mode: Key['mode'];
}

const keyPath = (workspace: string, key: string) => ({
  params: { path: { workspace_id: workspace, key_id: key } },
});

/** A workspace has few keys: one page shows them. */
export const keysQuery = (workspace: string, revoked: boolean) =>
  queryOptions({
    queryKey: ['keys', workspace, revoked],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/keys', {
          params: {
            path: { workspace_id: workspace },
            query: { limit: 100, revoked: revoked ? 'true' : 'false' },
          },
        }),
      ),
  });

export const createKey = (
  workspace: string,
  { expires_at, scopes, allowed_networks, ...fields }: KeyFields & KeyRights,
) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/keys', {
      params: { path: { workspace_id: workspace } },
      body: {
        ...fields,
        scopes: [...scopes],
        allowed_networks: [...allowed_networks],
        ...(expires_at !== null && { expires_at }),
      },
    }),
  );

export const changeKey = (
  workspace: string,
  key: string,
  { allowed_networks, ...fields }: Partial<KeyFields>,
) =>
  answer(
    api.PATCH('/admin/v1/workspaces/{workspace_id}/keys/{key_id}', {
      ...keyPath(workspace, key),
      body: { ...fields, ...(allowed_networks !== undefined && { allowed_networks: [...allowed_networks] }) },
    }),
  );

export const rotateKey = (workspace: string, key: string, graceSeconds: number) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/keys/{key_id}/rotate', {
      ...keyPath(workspace, key),
      body: { grace_seconds: graceSeconds },
    }),
  );

export const revokeKey = (workspace: string, key: string) =>
  finish(api.DELETE('/admin/v1/workspaces/{workspace_id}/keys/{key_id}', keyPath(workspace, key)));

export const restoreKey = (workspace: string, key: string) =>
  finish(api.POST('/admin/v1/workspaces/{workspace_id}/keys/{key_id}/restore', keyPath(workspace, key)));
