import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

type Schemas = components['schemas'];
export type Channel = Schemas['Channel'];
export type ChannelState = Schemas['ChannelState'];
export type ChannelChecks = Schemas['ChannelChecks'];
export type ChannelCheck = Schemas['ChannelCheck'];
export type ChannelNote = ChannelChecks['notes'][number];
export type ChannelGuide = Schemas['ChannelGuide'];
export type ChannelDelivery = Schemas['ChannelDelivery'];

interface Place {
  readonly workspace: string;
  readonly channel: string;
}

const path = ({ workspace, channel }: Place) => ({ workspace_id: workspace, chan_id: channel });

export function channelsQuery(workspace: string) {
  return queryOptions({
    queryKey: ['channels', workspace],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/channels', {
          params: { path: { workspace_id: workspace }, query: { limit: 100 } },
        }),
      ),
  });
}

export function channelStatesQuery(workspace: string) {
  return queryOptions({
    queryKey: ['channels', workspace, 'states'],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/channel-states', {
          params: { path: { workspace_id: workspace } },
        }),
      ),
    refetchInterval: 15_000,
  });
}

const soonMs = 1_500;
const calmMs = 10_000;

/** The checks of a channel. The query repeats until all are green, because some evidence comes without a frame. */
export function checksQuery(place: Place) {
  return queryOptions({
    queryKey: ['channels', place.workspace, place.channel, 'checks'],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/checks', {
          params: { path: path(place) },
        }),
      ),
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data?.checks.every(({ state }) => state === 'done') !== true ? soonMs : calmMs,
  });
}

interface PreviewOptions {
  /** The changes that are not saved. */
  readonly settings: Record<string, unknown>;
  readonly language?: string;
  /** The answer of the preview. */
  readonly say?: string;
  /** A page on which the widget may be shown. */
  readonly page?: string;
}

/** Unsaved settings, as the server checks and shows them. */
export function previewQuery(place: Place, options: PreviewOptions) {
  return queryOptions({
    // The key is not below the channels: saving them does not change the preview.
    queryKey: ['channel-preview', place.workspace, place.channel, options],
    queryFn: () =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/preview', {
          params: { path: path(place) },
          body: options,
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function deliveriesQuery(place: Place) {
  return queryOptions({
    queryKey: ['channels', place.workspace, place.channel, 'deliveries'],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/deliveries', {
          params: { path: path(place) },
        }),
      ),
    // No frame announces a delivery; only the message that it becomes has one.
    refetchInterval: calmMs,
  });
}

export function failuresQuery(place: Place) {
  return queryOptions({
    queryKey: ['channels', place.workspace, place.channel, 'failures'],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/failures', {
          params: { path: path(place) },
        }),
      ),
    refetchInterval: calmMs,
  });
}

interface NewChannel {
  readonly channel: string;
  readonly name: string;
  readonly credentials: Record<string, unknown>;
  readonly settings: Record<string, unknown>;
  readonly enabled: boolean;
}

interface ChannelChange {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly credentials?: Record<string, unknown>;
  readonly settings?: Record<string, unknown>;
}

/** Reads everything about the channels anew after a change. */
function useRefresh(workspace: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['channels', workspace] });
}

export function useAddChannel(workspace: string) {
  const refresh = useRefresh(workspace);
  return useMutation({
    mutationFn: (body: NewChannel) =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/channels', {
          params: { path: { workspace_id: workspace } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useChangeChannel(place: Place) {
  const refresh = useRefresh(place.workspace);
  return useMutation({
    mutationFn: (body: ChannelChange) =>
      answer(
        api.PATCH('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}', {
          params: { path: path(place) },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useRemoveChannel(place: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      finish(
        api.DELETE('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}', {
          params: { path: path(place) },
        }),
      ),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['channels', place.workspace, place.channel] });
      return client.invalidateQueries({ queryKey: channelsQuery(place.workspace).queryKey });
    },
  });
}

/** Asks the platform again. */
export function useCheckChannel(place: Place) {
  const client = useQueryClient();
  const refresh = useRefresh(place.workspace);
  return useMutation({
    mutationFn: () =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/check', {
          params: { path: path(place) },
        }),
      ),
    onSuccess: (checks) => {
      client.setQueryData(checksQuery(place).queryKey, checks);
      return refresh();
    },
  });
}

export function useRetryChannel(place: Place) {
  const refresh = useRefresh(place.workspace);
  return useMutation({
    mutationFn: () =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/retry', {
          params: { path: path(place) },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useInstallLink(place: Place) {
  return useMutation({
    mutationFn: () =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/install-links', {
          params: { path: path(place) },
        }),
      ),
  });
}

interface PublicSettings {
  readonly nlweb_enabled?: boolean;
  readonly mcp_enabled?: boolean;
  readonly description?: string;
}

/** The workspace with the settings that strangers see. */
export function publicAgentQuery(workspace: string) {
  return queryOptions({
    queryKey: ['workspace', workspace],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}', { params: { path: { workspace_id: workspace } } }),
      ),
  });
}

export function useChangePublicAgent(workspace: string) {
  const client = useQueryClient();
  const { queryKey } = publicAgentQuery(workspace);
  return useMutation({
    mutationFn: (settings: PublicSettings) =>
      answer(
        api.PATCH('/admin/v1/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace } },
          body: { settings: { ...settings } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
