import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { unlessLive } from '../../live/live-state.ts';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type InboxRow = components['schemas']['InboxRow'];
export type SavedView = components['schemas']['SavedView'];
export type InboxFilters = SavedView['filters'];
export type InboxSort = SavedView['sort'];
export type InboxView = NonNullable<InboxFilters['view']>;
export type InboxAgent = components['schemas']['InboxAgent'];
export type ConversationAction = components['schemas']['ConversationAction'];
export type ConversationChange = NonNullable<
  operations['changeConversation']['requestBody']
>['content']['application/json'];
export type BulkChange = ConversationAction['change'];
type Page = operations['listInbox']['responses']['200']['content']['application/json'];
export type Searched = NonNullable<Page['searched']>;
type ListQuery = NonNullable<operations['listInbox']['parameters']['query']>;

const base = '/admin/v1/workspaces/{workspace_id}';
const at = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });
const pageSize = 50;
/** Rows enter and leave some views as time passes, without a frame. */
const slowMs = 60_000;
const pollMs = 10_000;
/** The delay after which a list is read again that could not be read. */
const failedMs = 5_000;

/** A list of the inbox by its filters and its order. */
export interface ListPlace {
  readonly workspace: string;
  readonly filters: InboxFilters;
  /** Absent: as it suits the view. */
  readonly sort: InboxSort | undefined;
}

function readPage({ workspace, filters, sort }: ListPlace, cursor: string, signal?: AbortSignal) {
  const { unread, waiting, has_draft, ...rest } = filters;
  const query: ListQuery = {
    ...rest,
    ...(unread !== undefined && { unread: unread ? 'true' : 'false' }),
    ...(waiting !== undefined && { waiting: waiting ? 'true' : 'false' }),
    ...(has_draft !== undefined && { has_draft: has_draft ? 'true' : 'false' }),
    ...(sort !== undefined && { sort }),
    ...(cursor !== '' && { cursor }),
    limit: pageSize,
  };
  const params = { path: { workspace_id: workspace }, query };
  return answer(api.GET(`${base}/conversations`, { params, ...(signal !== undefined && { signal }) }));
}

/** The lists of a workspace. Frames refresh their pages one by one, so the stream does not know this key. */
export const listsKey = (workspace: string) => ['inbox-lists', workspace] as const;

export function inboxListQuery(place: ListPlace) {
  return infiniteQueryOptions({
    queryKey: [...listsKey(place.workspace), place.filters, place.sort ?? ''],
    queryFn: ({ pageParam, signal }) => readPage(place, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ pagination }: Page) => pagination.next_cursor,
    staleTime: slowMs,
    refetchInterval: ({ state }) => (state.error === null ? unlessLive(pollMs) || slowMs : failedMs),
  });
}

/**
 * Reads the first page again, and those that hold one of the changed conversations. Rows that a newcomer pushed off
 * their page stay at its end, because the next page still begins where it did. If that fails, the whole list is read
 * again; until that succeeds, the list shows the error.
 */
export async function refreshPages(
  client: QueryClient,
  place: ListPlace,
  changed: ReadonlySet<string>,
): Promise<void> {
  const { queryKey } = inboxListQuery(place);
  const data = client.getQueryData(queryKey);
  if (data === undefined) return;
  const stale = data.pageParams
    .map(String)
    .filter(
      (_, position) =>
        position === 0 || data.pages[position]?.conversations.some(({ id }) => changed.has(id)) === true,
    );
  const read = Promise.all(stale.map(async (cursor) => [cursor, await readPage(place, cursor)] as const));
  const pages = await read.catch(() => null);
  if (pages === null) return client.invalidateQueries({ queryKey, exact: true });
  const fresh = new Map(pages);
  client.setQueryData(queryKey, (current) => {
    if (current === undefined) return current;
    const pages = current.pages.map((page, position) => {
      const read = fresh.get(String(current.pageParams[position]));
      return read === undefined
        ? page
        : mergePage(page, read, changed, position === current.pages.length - 1);
    });
    return { ...current, pages };
  });
}

function mergePage(old: Page, read: Page, changed: ReadonlySet<string>, isLast: boolean): Page {
  if (isLast) return read;
  const ids = new Set(read.conversations.map(({ id }) => id));
  const pushed = old.conversations.filter(({ id }) => !ids.has(id) && !changed.has(id));
  return { ...read, conversations: [...read.conversations, ...pushed], pagination: old.pagination };
}

/** The ids of the first conversations of a view, latest activity first. */
export async function findLatestIds(
  workspace: string,
  { view, limit }: { readonly view: InboxView; readonly limit: number },
): Promise<readonly string[]> {
  const params = { path: { workspace_id: workspace }, query: { view, limit, sort: 'latest' as const } };
  const { conversations } = await answer(api.GET(`${base}/conversations`, { params }));
  return conversations.map(({ id }) => id);
}

/** The latest conversations with words in a message, or of a customer by a part of the name, for the command menu. */
export async function findConversations(
  workspace: string,
  query: { readonly q: string } | { readonly customer: string },
  signal: AbortSignal,
): Promise<readonly InboxRow[]> {
  const params = { path: { workspace_id: workspace }, query: { ...query, limit: 6 } };
  return (await answer(api.GET(`${base}/conversations`, { params, signal }))).conversations;
}

export type ConversationCounts = operations['countInbox']['responses']['200']['content']['application/json'];

export const countsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['conversation-counts', workspace],
    queryFn: ({ signal }) => answer(api.GET(`${base}/conversation-counts`, { ...at(workspace), signal })),
    staleTime: pollMs,
    refetchInterval: ({ state }) => (state.error === null ? unlessLive(pollMs) || slowMs : failedMs),
  });

/** The answers without a person since midnight. */
export const answersTodayQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['answers-today', workspace],
    queryFn: async ({ signal }) => {
      const params = { ...at(workspace).params, query: { answers: 'true' as const } };
      return (await answer(api.GET(`${base}/conversation-counts`, { params, signal }))).answers_today ?? null;
    },
    staleTime: slowMs,
    refetchInterval: slowMs,
  });

export const viewsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['views', workspace],
    queryFn: async ({ signal }) =>
      (await answer(api.GET(`${base}/views`, { ...at(workspace), signal }))).views,
    staleTime: slowMs,
  });

type NewView = operations['createView']['requestBody']['content']['application/json'];

export const createView = (workspace: string, body: NewView) =>
  answer(api.POST(`${base}/views`, { ...at(workspace), body }));

const viewAt = (workspace: string, id: string) => ({
  params: { path: { workspace_id: workspace, view_id: id } },
});

export const changeView = (workspace: string, id: string, body: Partial<NewView>) =>
  answer(api.PATCH(`${base}/views/{view_id}`, { ...viewAt(workspace, id), body }));

export const deleteView = (workspace: string, id: string) =>
  finish(api.DELETE(`${base}/views/{view_id}`, viewAt(workspace, id)));

/** Those that a conversation can be assigned to. */
export const agentsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['members', workspace, 'assignable'],
    queryFn: async ({ signal }) =>
      (await answer(api.GET(`${base}/agents`, { ...at(workspace), signal }))).agents,
    staleTime: slowMs,
  });

export const setAvailability = async (workspace: string, available: boolean) =>
  (await answer(api.PUT(`${base}/availability`, { ...at(workspace), body: { available } }))).agents;

const conversationAt = (workspace: string, id: string) => ({
  params: { path: { workspace_id: workspace, conv_id: id } },
});

const lanes = new Map<string, Promise<unknown>>();

/**
 * Runs the requests that change a conversation one after the other: the server may finish concurrent ones in the
 * other order.
 */
export function inOrder<Result>(conversation: string, run: () => Promise<Result>): Promise<Result> {
  const result = (lanes.get(conversation) ?? Promise.resolve()).then(run, run);
  lanes.set(conversation, result);
  const leave = () => {
    if (lanes.get(conversation) === result) lanes.delete(conversation);
  };
  result.then(leave, leave);
  return result;
}

export const changeConversation = (workspace: string, id: string, body: ConversationChange) =>
  inOrder(id, () =>
    answer(api.PATCH(`${base}/conversations/{conv_id}`, { ...conversationAt(workspace, id), body })),
  );

/** Takes back a change that may still be in flight. Null: it failed, so nothing was sent. */
export const takeBackChange = (
  workspace: string,
  id: string,
  { body, change }: { readonly body: ConversationChange; readonly change: Promise<unknown> },
) =>
  inOrder(id, () =>
    change.then(
      () => answer(api.PATCH(`${base}/conversations/{conv_id}`, { ...conversationAt(workspace, id), body })),
      () => null,
    ),
  );

/** Marks a conversation as read up to its end. */
export const markRead = (workspace: string, id: string) =>
  answer(api.PUT(`${base}/conversations/{conv_id}/seen`, { ...conversationAt(workspace, id), body: {} }));

/** Marks the last message of the visitor as unread. */
export async function markUnread(workspace: string, id: string): Promise<void> {
  const params = { path: { workspace_id: workspace, conv_id: id }, query: { limit: pageSize } };
  const { entries } = await answer(api.GET(`${base}/conversations/{conv_id}/messages`, { params }));
  const last = entries.find((entry) => entry.kind === 'message' && entry.message.role === 'user');
  const position = last?.kind === 'message' ? last.position - 1 : -1;
  const body = { position, back: true };
  await answer(api.PUT(`${base}/conversations/{conv_id}/seen`, { ...conversationAt(workspace, id), body }));
}

export type ActionRange = { readonly ids: readonly string[] } | { readonly filters: InboxFilters };

export const startAction = (workspace: string, range: ActionRange, change: BulkChange) =>
  answer(
    api.POST(`${base}/conversation-actions`, {
      ...at(workspace),
      body: 'ids' in range ? { ids: [...range.ids], change } : { filters: range.filters, change },
    }),
  );

const actionAt = (workspace: string, id: string) => ({
  params: { path: { workspace_id: workspace, action_id: id } },
});

const actionPollMs = 300;

/** Whether the server still works on it. */
export const isRunning = ({ status }: ConversationAction) =>
  status === 'waiting' || status === 'running' || status === 'undoing';

export const actionQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['conversation-action', workspace, id],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/conversation-actions/{action_id}`, { ...actionAt(workspace, id), signal })),
    refetchInterval: ({ state: { data } }) => (data === undefined || isRunning(data) ? actionPollMs : false),
  });

export const abortAction = (workspace: string, id: string) =>
  answer(api.POST(`${base}/conversation-actions/{action_id}/abort`, actionAt(workspace, id)));

export const undoAction = (workspace: string, id: string) =>
  answer(api.POST(`${base}/conversation-actions/{action_id}/undo`, actionAt(workspace, id)));

/** Returns the count at which the server stops counting a view, by its name or the id of a saved one. */
export function countEnd(view: string): number {
  return view === 'unread' || view.startsWith('view_') ? 100 : 1_000;
}

export type Mention = components['schemas']['Mention'];

/** The latest notes that name the signed-in person. */
export const mentionsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['mentions', workspace],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/mentions`, { params: { path: { workspace_id: workspace } }, signal })),
    staleTime: pollMs,
    refetchInterval: ({ state }) => (state.error === null ? unlessLive(pollMs) || slowMs : failedMs),
  });

/** Marks the mentions of one conversation as read, or all. */
export const readMentions = (workspace: string, conversation?: string) =>
  finish(
    api.PUT(`${base}/mentions`, {
      params: { path: { workspace_id: workspace } },
      body: conversation === undefined ? {} : { conversation_id: conversation },
    }),
  );
