import { queryOptions } from '@tanstack/react-query';
import { unlessLive } from '../../live/live-state.ts';
import type { components } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type Mention = components['schemas']['Mention'];

const path = '/admin/v1/workspaces/{workspace_id}/mentions';
const pollMs = 10_000;
const slowMs = 300_000;

/** The latest notes that name the signed-in person. */
export const mentionsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['mentions', workspace],
    queryFn: ({ signal }) => answer(api.GET(path, { params: { path: { workspace_id: workspace } }, signal })),
    staleTime: pollMs,
    refetchInterval: () => unlessLive(pollMs) || slowMs,
  });

/** Marks the mentions of one conversation as read, or all. */
export const readMentions = (workspace: string, conversation?: string) =>
  finish(
    api.PUT(path, {
      params: { path: { workspace_id: workspace } },
      body: conversation === undefined ? {} : { conversation_id: conversation },
    }),
  );
