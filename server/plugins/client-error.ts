import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { presentError } from './present-error.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'receive_timeout',
};

/** Answers what is not HTTP, or never became a whole request, and closes the connection. */
export function clientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = new AppError(codes[error.code ?? ''] ?? 'malformed_request');
  const id = newId('req');
  const body = JSON.stringify(presentError(known, id));
  const head = [
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
