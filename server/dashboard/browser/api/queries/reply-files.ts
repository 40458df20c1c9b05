import { queryOptions } from '@tanstack/react-query';
import type { components } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';
import { Problem, unreachable } from '../problem.ts';
import type { Place } from './conversation.ts';

/** A file that the person has uploaded and not sent. */
export type ReplyFile = components['schemas']['AgentFile'];

const base = '/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/files';
const pathOf = ({ workspace, conversation }: Place) => ({ workspace_id: workspace, conv_id: conversation });

/** The files that wait in a conversation: another browser and a reload find them. */
export const replyFilesQuery = (place: Place) =>
  queryOptions({
    queryKey: ['reply-files', place.workspace, place.conversation],
    queryFn: async ({ signal }) =>
      (await answer(api.GET(base, { params: { path: pathOf(place) }, signal }))).files,
    staleTime: 30_000,
  });

export const deleteReplyFile = (place: Place, id: string) =>
  finish(api.DELETE(`${base}/{file_id}`, { params: { path: { ...pathOf(place), file_id: id } } }));

interface Upload {
  readonly file: File;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a file and tells how much has left, which `fetch` cannot. Throws a Problem. */
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
    signal.addEventListener('abort', () => request.abort());
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
