import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';
import { Problem, problemOf, unreachable } from '../problem.ts';
import { changeConversation, countsQuery, listsKey, takeBackChange } from './inbox.ts';

type Schemas = components['schemas'];
export type Conversation = Schemas['InboxConversation'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type MessageEntry = Extract<TimelineEntry, { readonly kind: 'message' }>;
export type Note = Schemas['InboxNote'];
export type Change = Schemas['AuditEntry'];
export type Source = Schemas['Source'];
export type Agent = Schemas['InboxAgent'];
export type Status = Conversation['status'];
export type Priority = Conversation['priority'];
export type DraftKind = Schemas['InboxDraft']['kind'];
export type Suggestion = Schemas['Suggestion'];

/** One conversation of a workspace. */
export interface Place {
  readonly workspace: string;
  readonly conversation: string;
}

export const conversationPath = '/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}';
const pageSize = 50;

const keyOf = ({ workspace, conversation }: Place) => ['conversation', workspace, conversation] as const;
export const at = ({ workspace, conversation }: Place) => ({
  params: { path: { workspace_id: workspace, conv_id: conversation } },
});

/** The details beside the messages. */
export const conversationQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'head'],
    queryFn: ({ signal }) => answer(api.GET(conversationPath, { ...at(place), signal })),
  });

/** The latest changes, with those that the thread leaves out. */
export const conversationAuditQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'audit'],
    queryFn: async ({ signal }) => {
      const params = { path: at(place).params.path, query: { audit: 'true' as const } };
      const { audit_log } = await answer(api.GET(conversationPath, { params, signal }));
      return audit_log ?? [];
    },
  });

/** Messages, notes and changes in pages, newest first. */
export const timelineQuery = (place: Place) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(place), 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(`${conversationPath}/messages`, {
          params: {
            path: at(place).params.path,
            query: { limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** Reads a conversation ahead, so that opening it shows it at once. */
export function prefetchConversation(client: QueryClient, place: Place): void {
  void client.prefetchQuery(conversationQuery(place));
  void client.prefetchInfiniteQuery(timelineQuery(place));
}

/** Asks the documents for a reply to what the visitor wrote last. Each new message is a new question. */
export const suggestionQuery = (place: Place, messageId: string, round: number) =>
  queryOptions({
    queryKey: ['suggestion', place.workspace, place.conversation, messageId, round],
    queryFn: ({ signal }) => {
      const params = {
        path: at(place).params.path,
        query: { again: round > 0 ? ('true' as const) : ('false' as const) },
      };
      return answer(api.POST(`${conversationPath}/suggestion`, { params, signal }));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** A reply as the channel will show it. */
export const previewQuery = (place: Place, content: string, fileIds: readonly string[]) =>
  queryOptions({
    queryKey: ['reply-preview', place.workspace, place.conversation, content, fileIds],
    queryFn: ({ signal }) =>
      answer(
        api.POST(`${conversationPath}/reply-preview`, {
          ...at(place),
          body: { content, file_ids: [...fileIds] },
          signal,
        }),
      ),
    staleTime: 60_000,
    retry: false,
  });

export const markSeen = (place: Place, seen: { readonly position?: number; readonly back?: boolean }) =>
  answer(api.PUT(`${conversationPath}/seen`, { ...at(place), body: { back: false, ...seen } }));

export const endSessions = (place: Place) => answer(api.DELETE(`${conversationPath}/sessions`, at(place)));

interface NoteText {
  readonly content: string;
  readonly mentions: string[];
}

export const writeNote = (place: Place, note: NoteText) =>
  answer(api.POST(`${conversationPath}/notes`, { ...at(place), body: note }));

const notePath = (place: Place, id: string) => ({
  params: { path: { ...at(place).params.path, note_id: id } },
});

export const changeNote = (place: Place, id: string, note: NoteText) =>
  answer(api.PATCH(`${conversationPath}/notes/{note_id}`, { ...notePath(place, id), body: note }));

export const deleteNote = (place: Place, id: string) =>
  finish(api.DELETE(`${conversationPath}/notes/{note_id}`, notePath(place, id)));

/** The address of a file of a message. */
export const attachmentAddress = ({ workspace, conversation }: Place, message: string, index: number) =>
  `/admin/v1/workspaces/${workspace}/conversations/${conversation}/messages/${message}/attachments/${index}`;

/** A message that came before a reply. */
export interface NewMessage {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly author: string | null;
}

type ReplyBody = NonNullable<operations['replyAsAgent']['requestBody']>['content']['application/json'];

interface ReplyToSend {
  readonly content: string;
  readonly fileIds: readonly string[];
  /** The message to send again unchanged, with its own text and files. */
  readonly resendOf: string | null;
  readonly afterMessageId: string | null;
  readonly resolves: boolean;
  /** The change that is made with the reply, or not at all. */
  readonly change: NonNullable<ReplyBody['change']> | null;
  /** The same key again sends nothing. */
  readonly key: string;
}

/** Either the stored reply, or the messages that came before it; in that case nothing was sent. */
type ReplyOutcome = { readonly sent: string } | { readonly movedOn: readonly NewMessage[] };

/** Sends a reply, also if the person leaves the page meanwhile. Throws its `Problem`. */
export async function sendReply(place: Place, reply: ReplyToSend): Promise<ReplyOutcome> {
  const { content, fileIds, resendOf, afterMessageId, resolves, change, key } = reply;
  const {
    data,
    error: body,
    response,
  } = await api
    .POST(`${conversationPath}/reply`, {
      params: { path: at(place).params.path, header: { 'Idempotency-Key': key } },
      body: {
        ...(resendOf === null ? { content, file_ids: [...fileIds] } : { resend_of: resendOf }),
        resolve: resolves,
        ...(change !== null && { change }),
        ...(afterMessageId !== null && { after_message_id: afterMessageId }),
      },
      keepalive: true,
    })
    .catch((error: unknown) => {
      throw error instanceof TypeError ? unreachable() : error;
    });
  if (data !== undefined) return { sent: data.id };
  const problem = problemOf(response, body);
  if (problem.code !== 'conversation_moved_on') throw problem;
  return { movedOn: readNewMessages(body) };
}

function readNewMessages(body: unknown): readonly NewMessage[] {
  const found: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'new_messages') : [];
  if (!Array.isArray(found)) return [];
  return found.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return [];
    const text = (field: string) => {
      const value: unknown = Reflect.get(each, field);
      return typeof value === 'string' ? value : null;
    };
    const [id, role, content] = [text('id'), text('role'), text('content')];
    if (id === null || role === null || content === null) return [];
    return [{ id, role, content, author: text('author') }];
  });
}

/** Fields that an agent changes. `assignee` stands beside its id, so that the change can be shown at once. */
export interface ConversationChange {
  readonly status?: Status;
  readonly assignee?: { readonly id: string; readonly name: string } | null;
  readonly tags?: readonly string[];
  readonly priority?: Priority;
  readonly snooze_until?: string;
  readonly customer?: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  };
  /** The change to take back. It may still be in flight. */
  readonly takesBack?: ConversationChange;
}

/** The pending requests of the shown changes. */
const requests = new WeakMap<ConversationChange, Promise<unknown>>();

function requestChange({ workspace, conversation }: Place, whole: ConversationChange) {
  const { assignee, tags, takesBack, ...change } = whole;
  const body = {
    ...change,
    ...(assignee !== undefined && { assignee_id: assignee?.id ?? null }),
    ...(tags !== undefined && { tags: [...tags] }),
  };
  const earlier = takesBack && requests.get(takesBack);
  const request =
    earlier === undefined
      ? changeConversation(workspace, conversation, body)
      : takeBackChange(workspace, conversation, { body, change: earlier });
  requests.set(whole, request);
  return request;
}

/** Changes a conversation: shown at once, and taken back if the server refuses. */
export function useChangeConversation(place: Place) {
  const client = useQueryClient();
  const { queryKey } = conversationQuery(place);
  const mutationKey = keyOf(place);
  return useMutation({
    mutationKey,
    mutationFn: (change: ConversationChange) => requestChange(place, change),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before !== undefined) client.setQueryData(queryKey, applied(before, change));
      return before;
    },
    onError: (_error, _change, before) => {
      if (before !== undefined) client.setQueryData(queryKey, before);
      // With several changes in a row, an earlier one may have been confirmed since.
      void client.invalidateQueries({ queryKey });
    },
    onSuccess: (after) => {
      // With several changes in a row, the last answer contains all of them.
      if (after !== null && client.isMutating({ mutationKey }) === 1) client.setQueryData(queryKey, after);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: timelineQuery(place).queryKey });
      return refreshLists(client, place.workspace);
    },
  });
}

/** Reads the row of the list again. */
export function refreshLists(client: QueryClient, workspace: string): Promise<void> {
  void client.invalidateQueries({ queryKey: countsQuery(workspace).queryKey });
  return client.invalidateQueries({ queryKey: listsKey(workspace) });
}

function applied(
  before: Conversation,
  { customer, tags, takesBack: _, ...change }: ConversationChange,
): Conversation {
  return {
    ...before,
    ...change,
    ...(tags !== undefined && { tags: [...tags] }),
    ...(customer !== undefined && { customer: { ...before.customer, ...customer } }),
  };
}

/** A file that the person has uploaded and not sent. */
export type ReplyPreview = Schemas['ReplyPreview'];
export type ReplyFile = Schemas['AgentFile'];

/** The files that wait in a conversation: another browser and a reload find them. */
export const replyFilesQuery = (place: Place) =>
  queryOptions({
    queryKey: ['reply-files', place.workspace, place.conversation],
    queryFn: async ({ signal }) =>
      (await answer(api.GET(`${conversationPath}/files`, { ...at(place), signal }))).files,
    staleTime: 30_000,
  });

export const deleteReplyFile = (place: Place, id: string) =>
  finish(
    api.DELETE(`${conversationPath}/files/{file_id}`, {
      params: { path: { ...at(place).params.path, file_id: id } },
      keepalive: true,
    }),
  );

interface Upload {
  readonly file: File;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file and reports the progress, which `fetch` cannot. Once all bytes have left, aborting does not stop it:
 * the server may have stored the file. Throws a Problem.
 */
export function uploadReplyFile(place: Place, { file, onProgress, signal }: Upload): Promise<ReplyFile> {
  const form = new FormData();
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/admin/v1/workspaces/${place.workspace}/conversations/${place.conversation}/files`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(signal.reason);
    request.onload = () => {
      const body: unknown = request.response;
      const stored = request.status < 300 ? readFile(body) : null;
      if (stored === null) reject(toUploadProblem(request.status, body));
      else resolve(stored);
    };
    let hasLeft = false;
    request.upload.onload = () => {
      hasLeft = true;
    };
    signal.addEventListener('abort', () => {
      if (!hasLeft) request.abort();
    });
    request.send(form);
  });
}

const field = (body: unknown, key: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;

function textOf(body: unknown, key: string): string | null {
  const value = field(body, key);
  return typeof value === 'string' ? value : null;
}

function readFile(body: unknown): ReplyFile | null {
  const [id, name, url] = [textOf(body, 'id'), textOf(body, 'name'), textOf(body, 'url')];
  const bytes = field(body, 'byte_count');
  if (id === null || name === null || url === null) return null;
  const contentType = textOf(body, 'content_type') ?? '';
  return { id, name, url, content_type: contentType, byte_count: Number(bytes) };
}

function toUploadProblem(status: number, body: unknown): Problem {
  return new Problem({
    status,
    code: textOf(body, 'code') ?? `http_${status}`,
    detail: textOf(body, 'detail') ?? '',
    requestId: textOf(body, 'request_id'),
  });
}
