import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../api/api-types.ts';
import { answer, api } from '../../api/client.ts';

type Schemas = components['schemas'];
export type Installation = Schemas['Installation'];
export type InstallationPart = Schemas['InstallationPart'];
export type Queues = Schemas['Queues'];
export type FailureGroup = Schemas['FailureGroup'];
export type FailureAction = Schemas['FailureAction'];
export type MessageLife = Schemas['MessageLife'];
export type InstallationWorkspace = Schemas['InstallationWorkspace'];

const REFRESH_MS = 5_000;

export const installationQuery = queryOptions({
  queryKey: ['operations', 'installation'],
  queryFn: () => answer(api.GET('/admin/v1/installation')),
  refetchInterval: REFRESH_MS,
});

export const queuesQuery = queryOptions({
  queryKey: ['operations', 'queues'],
  queryFn: () => answer(api.GET('/admin/v1/queues')),
  refetchInterval: REFRESH_MS,
});

/** The filter of the screen of failures. Empty texts limit nothing. */
export interface ShownFailures {
  readonly queue: 'answer' | 'deliver';
  readonly channel: string;
  readonly reason: string | null;
  /** Days, such as 2026-11-27. */
  readonly from: string;
  readonly until: string;
}

/** The filter for the server. The last day is meant whole, in the time of the browser. */
export function toFilter({ channel, reason, from, until }: ShownFailures) {
  return {
    ...(channel !== '' && { channel_id: channel }),
    ...(reason !== null && { reason }),
    ...(from !== '' && { from: dayStart(from, 0) }),
    ...(until !== '' && { until: dayStart(until, 1) }),
  };
}

function dayStart(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

export const failuresQuery = (shown: ShownFailures) =>
  queryOptions({
    queryKey: ['operations', 'failures', shown],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/installation/failures', {
          params: { query: { queue: shown.queue, ...toFilter(shown) } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  });

export const failureActionsQuery = queryOptions({
  queryKey: ['operations', 'failure-actions'],
  queryFn: () => answer(api.GET('/admin/v1/installation/failure-actions')),
  refetchInterval: REFRESH_MS,
});

export function useStartFailureAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, shown }: { readonly kind: FailureAction['kind']; readonly shown: ShownFailures }) =>
      answer(
        api.POST('/admin/v1/installation/failure-actions', {
          body: { kind, queue: shown.queue, filter: toFilter(shown) },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['operations'] }),
  });
}

export function useStopFailureAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(
        api.POST('/admin/v1/installation/failure-actions/{action_id}/stop', {
          params: { path: { action_id: id } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: failureActionsQuery.queryKey }),
  });
}

export const messageLifeQuery = (id: string) =>
  queryOptions({
    queryKey: ['operations', 'message', id],
    queryFn: () => answer(api.GET('/admin/v1/installation/message', { params: { query: { id } } })),
    enabled: id !== '',
    retry: false,
  });

export const allWorkspacesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['operations', 'workspaces', search],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/admin/v1/installation/workspaces', {
          params: {
            query: {
              limit: 50,
              ...(search !== '' && { search }),
              ...(pageParam !== '' && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

export function useDoctor() {
  return useMutation({ mutationFn: () => answer(api.POST('/admin/v1/doctor')) });
}
