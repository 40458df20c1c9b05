import { queryOptions } from '@tanstack/react-query';
import { unlessLive } from '../../live/live-state.ts';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type Webhook = components['schemas']['Webhook'];
export type Delivery =
  operations['listDeliveries']['responses']['200']['content']['application/json']['deliveries'][number];
type NewWebhook = operations['createWebhook']['requestBody']['content']['application/json'];
export type WebhookEvent = NewWebhook['events'][number];

const hookPath = (workspace: string, hook: string) => ({
  params: { path: { workspace_id: workspace, hook_id: hook } },
});

export const webhooksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhooks', workspace],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/webhooks', {
          params: { path: { workspace_id: workspace }, query: { limit: 100 } },
        }),
      ),
  });

/** The latest deliveries. Without a stream, the query repeats while one of them is on its way. */
export const deliveriesQuery = (workspace: string, hook: string) =>
  queryOptions({
    queryKey: ['webhooks', workspace, hook, 'deliveries'],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries', {
          params: { path: { workspace_id: workspace, hook_id: hook }, query: { limit: 50 } },
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') === true
        ? unlessLive(2_000)
        : unlessLive(15_000),
  });

export const createWebhook = (workspace: string, webhook: NewWebhook) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/webhooks', {
      params: { path: { workspace_id: workspace } },
      body: webhook,
    }),
  );

export const enableWebhook = (workspace: string, hook: string, enabled: boolean) =>
  answer(
    api.PATCH('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}', {
      ...hookPath(workspace, hook),
      body: { enabled },
    }),
  );

export const rotateWebhook = (workspace: string, hook: string, graceSeconds: number) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/rotate', {
      ...hookPath(workspace, hook),
      body: { grace_seconds: graceSeconds },
    }),
  );

export const testWebhook = (workspace: string, hook: string) =>
  answer(api.POST('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/test', hookPath(workspace, hook)));

export const replayDelivery = (workspace: string, hook: string, delivery: string) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries/{delivery_id}/replay', {
      params: { path: { workspace_id: workspace, hook_id: hook, delivery_id: delivery } },
    }),
  );

/** Can be taken back for a minute. */
export const deleteWebhook = (workspace: string, hook: string) =>
  finish(
    api.DELETE('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}', {
      params: { ...hookPath(workspace, hook).params, query: { restorable: 'true' } },
    }),
  );

export const restoreWebhook = (workspace: string, hook: string) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/restore', hookPath(workspace, hook)),
  );
