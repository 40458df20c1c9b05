import { Problem, unreachable } from './problem.ts';

interface FileToSend {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly file: File;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file as a form and reports the progress, which `fetch` cannot. Throws a Problem. */
export function sendFile({ method, path, file, onProgress, signal }: FileToSend): Promise<void> {
  const form = new FormData();
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(signal.reason);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(toUploadProblem(request.status, request.response));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function toUploadProblem(status: number, body: unknown): Problem {
  const text = (key: string): string | null => {
    const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : null;
    return typeof value === 'string' ? value : null;
  };
  return new Problem({
    status,
    code: text('code') ?? `http_${status}`,
    detail: text('detail') ?? '',
    requestId: text('request_id'),
  });
}
