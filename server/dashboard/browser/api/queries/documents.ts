import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { unlessLive } from '../../live/live-state.ts';
import type { components } from '../api-types.ts';
import { answer, api } from '../client.ts';
import { send } from '../send.ts';
import { sendFile } from '../send-file.ts';

export type Document = components['schemas']['Document'];
/** A document with its use in the last 30 days. */
export type ListedDocument = components['schemas']['ListedDocument'];

export interface DocumentFilters {
  readonly q?: string;
  readonly status?: Exclude<Document['status'], 'deleted'>;
  /** A tag, or `*` for documents that everybody may read. */
  readonly audience?: string;
  /** Last changed first if absent. */
  readonly sort?: 'answers' | 'disliked';
}

/** The interval of the query while a document waits or is being indexed and there is no stream. */
const POLL_MS = 2_000;
const pageSize = 50;
const base = '/admin/v1/workspaces/{workspace_id}/documents';

const keyOf = (workspace: string) => ['documents', workspace] as const;

/** Whether the state of a document will change soon. */
export function isPending({ status }: Pick<Document, 'status'>): boolean {
  return status === 'queued' || status === 'indexing';
}

/** The documents of a workspace by filters, last changed first, in pages. */
export function documentsQuery(workspace: string, filters: DocumentFilters) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(workspace), 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(base, {
          params: {
            path: { workspace_id: workspace },
            query: { limit: pageSize, ...filters, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ documents }) => documents.some(isPending)) ? unlessLive(POLL_MS) : false,
  });
}

/** The documents with a text in their title, address or file name, for the command menu. */
export async function findDocuments(
  workspace: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ListedDocument[]> {
  const params = { path: { workspace_id: workspace }, query: { q, limit: 6 } };
  return (await answer(api.GET(base, { params, signal }))).documents;
}

export function documentCountsQuery(workspace: string) {
  return queryOptions({
    queryKey: [...keyOf(workspace), 'counts'],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/counts`, { params: { path: { workspace_id: workspace } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.statuses.queued + data.statuses.indexing > 0 ? unlessLive(POLL_MS) : false,
  });
}

export function documentQuery(workspace: string, id: string) {
  return queryOptions({
    queryKey: [...keyOf(workspace), 'one', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET(`${base}/{doc_id}`, {
          params: { path: { workspace_id: workspace, doc_id: id } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isPending(data) ? unlessLive(POLL_MS) : false,
  });
}

/** The text as it was read. `revision` is the time of the last indexing: with another revision the text is another. */
export function documentTextQuery(workspace: string, id: string, revision: string | null) {
  return queryOptions({
    queryKey: [...keyOf(workspace), 'text', id, revision],
    queryFn: ({ signal }) =>
      answer(
        api.GET(`${base}/{doc_id}/content`, {
          params: { path: { workspace_id: workspace, doc_id: id } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

export function passagesQuery(workspace: string, id: string, revision: string | null) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(workspace), 'passages', id, revision],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(`${base}/{doc_id}/passages`, {
          params: {
            path: { workspace_id: workspace, doc_id: id },
            query: { limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** The audience tags of a workspace. */
export function audiencesQuery(workspace: string) {
  return queryOptions({
    queryKey: ['workspace', workspace, 'audiences'],
    queryFn: async ({ signal }) => {
      const { settings } = await answer(
        api.GET('/admin/v1/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace } },
          signal,
        }),
      );
      return settings.audiences ?? [];
    },
    staleTime: 60_000,
  });
}

type Bulk = {
  readonly ids: readonly string[];
  readonly action: 'delete' | 'restore' | 'reindex' | 'set_audience';
  readonly audience?: readonly string[];
};

/**
 * Does one thing to several documents. A deletion can be restored for a minute. Returns the documents that were left
 * out.
 */
export function useChangeDocuments(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, action, audience = [] }: Bulk) => {
      const body = { ids: [...ids], action, audience: [...audience], restorable: true };
      const { results } = await answer(
        api.POST(`${base}/bulk`, { params: { path: { workspace_id: workspace } }, body }),
      );
      return results.flatMap(({ error }) => error ?? []);
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export interface NewText {
  readonly title: string;
  readonly content: string;
  readonly audience: readonly string[];
}

export function useAddText(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ title, content, audience }: NewText) =>
      answer(
        api.POST(base, {
          params: { path: { workspace_id: workspace } },
          body: { title, content, content_type: 'text/markdown', audience: [...audience] },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

interface NewPage {
  readonly url: string;
  readonly title?: string;
  readonly audience: readonly string[];
}

export function useAddPage(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ audience, ...page }: NewPage) =>
      answer(
        api.POST(`${base}/fetch`, {
          params: { path: { workspace_id: workspace } },
          body: { ...page, audience: [...audience] },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useAddDemo(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(`/admin/v1/workspaces/${workspace}/documents/demo`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export interface DocumentChange {
  readonly title?: string;
  readonly url?: string | null;
  readonly audience?: readonly string[];
}

export function useChangeDocument(workspace: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ audience, ...change }: DocumentChange) =>
      answer(
        api.PATCH(`${base}/{doc_id}`, {
          params: { path: { workspace_id: workspace, doc_id: id } },
          body: { ...change, ...(audience !== undefined && { audience: [...audience] }) },
        }),
      ),
    onSuccess: (document) => client.setQueryData(documentQuery(workspace, id).queryKey, document),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

export function useReplaceText(workspace: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (content: string) =>
      answer(
        api.PUT(`${base}/{doc_id}/content`, {
          params: { path: { workspace_id: workspace, doc_id: id } },
          body: { content, content_type: 'text/markdown' },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}

interface Upload {
  readonly workspace: string;
  readonly file: File;
  /** Replaces the content of this document; absent: adds one. */
  readonly replaces?: string;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file and reports the progress. Throws a Problem. */
export function uploadFile({ workspace, file, replaces, onProgress, signal }: Upload): Promise<void> {
  const path = `/admin/v1/workspaces/${workspace}/documents`;
  return sendFile({
    ...(replaces === undefined
      ? { method: 'POST', path: `${path}/upload` }
      : { method: 'PUT', path: `${path}/${replaces}/content` }),
    ...{ file, onProgress, signal },
  });
}

/** Makes the lists of documents ask again. */
export function useRefreshDocuments(workspace: string): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: keyOf(workspace) });
}

/** Two texts that contradict each other, or one that is out of date. */
export type FactConflict = components['schemas']['FactConflict'];
export type ConflictStatus = FactConflict['status'];

const conflictsBase = '/admin/v1/workspaces/{workspace_id}/knowledge/conflicts';

/** The key is below that of the documents: a change of documents may change the contradictions. */
const conflictsKey = (workspace: string) => [...keyOf(workspace), 'conflicts'] as const;

/** The contradictions of a workspace, latest found first, in pages. */
export function conflictsQuery(workspace: string, status: ConflictStatus) {
  return infiniteQueryOptions({
    queryKey: [...conflictsKey(workspace), status],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(conflictsBase, {
          params: {
            path: { workspace_id: workspace },
            query: { limit: pageSize, status, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** Dismisses a contradiction, or opens it again. */
export function useChangeConflict(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { readonly id: string; readonly status: 'open' | 'dismissed' }) =>
      answer(
        api.PATCH(`${conflictsBase}/{conflict_id}`, {
          params: { path: { workspace_id: workspace, conflict_id: id } },
          body: { status },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: conflictsKey(workspace) }),
  });
}
