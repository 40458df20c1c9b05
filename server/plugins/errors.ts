import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { whenSettled } from '../../core/base/async.ts';
import { type ErrorCode, errorCatalogue } from '../../core/base/error-catalogue.ts';
import { AppError } from '../../core/base/errors.ts';
import { newId } from '../../core/base/ids.ts';
import { findLostReference, isDatabaseFault } from '../../core/storage/sql-errors.ts';
import { type errorBodySchema, findErrorCode } from '../schemas/responses.ts';
import { presentOpenAiError } from './openai-errors.ts';
import { RepeatedErrors } from './repeated-errors.ts';

/** Sends every error and every unknown route in the common error format. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new AppError('route_not_found'), request, reply));
}

/**
 * Responds with 405 and `Allow` to methods that a known route does not support. Call it before the first
 * route is added; call the returned function after the last one, to add the responses.
 */
export function handleUnknownMethods(app: FastifyInstance): (app: FastifyInstance) => void {
  const knownMethods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = knownMethods.get(url) ?? new Set();
    knownMethods.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  return (complete) => {
    for (const [url, methods] of [...knownMethods]) {
      const allow = [...methods].sort().join(', ');
      const others = complete.supportedMethods.filter((name) => !methods.has(name));
      if (others.length === 0) continue;
      complete.route({
        url,
        method: others,
        config: { refusesMethod: true },
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw new AppError('method_not_allowed');
        },
        handler: () => {},
      });
    }
  };
}

/**
 * Sends any error in the common error format. Returns no promise: Fastify would run the response with all
 * hooks again if a promise resolved while the hooks of the first response still run.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const appError = toLoggedError(error, request);
  if (appError.retryAfterSeconds !== undefined) reply.header('retry-after', appError.retryAfterSeconds);
  if (appError.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id).code(appError.status);
  const isOpenAi = request.routeOptions.config.openAiErrors === true;
  const body = { ...presentError(appError, request.id), ...(isOpenAi && presentOpenAiError(appError)) };
  const send = () => void reply.send(body);
  if (appError.code === 'payload_too_large') whenSettled(discardBody(request.raw), send);
  else send();
}

export function presentError(error: AppError, requestId: string): z.output<typeof errorBodySchema> {
  return { ...error.fields, detail: error.message, code: error.code, request_id: requestId };
}

/** The error code of each failed request, for its log line. */
export const loggedErrorCodes = new WeakMap<object, ErrorCode>();

/**
 * Converts any error to one that clients may see and records it for the log line of the request. Failures of
 * the server are logged with their cause.
 */
export function toLoggedError(error: unknown, request: FastifyRequest): AppError {
  const appError = toAppError(error, request);
  loggedErrorCodes.set(request, appError.code);
  if (isServerFailure(appError)) logFailure(appError, request);
  return appError;
}

/** A database that is away fails every request in the same way: only the first line has the whole error. */
function logFailure(appError: AppError, { log, server }: FastifyRequest): void {
  const err = appError.cause ?? appError;
  const repeated = repeatedErrors.get(server.server) ?? new RepeatedErrors();
  repeatedErrors.set(server.server, repeated);
  const isNews = repeated.note(describeFailure(appError.code, err), (count) =>
    log.error({ code: appError.code, count }, 'request failed again'),
  );
  if (isNews) log.error({ err }, 'request failed');
}

/** The counts of each server. */
const repeatedErrors = new WeakMap<object, RepeatedErrors>();

/** Equal for errors that have the same cause. */
function describeFailure(code: ErrorCode, error: unknown): string {
  if (!(error instanceof Error)) return code;
  const state = 'code' in error ? String(error.code) : '';
  return `${code} ${error.name} ${state} ${error.message}`;
}

/** Draining and request timeouts are expected, and the log line of the request already records them. */
function isServerFailure({ code, status }: AppError): boolean {
  return status >= 500 && code !== 'deploying' && code !== 'request_timeout';
}

/** The error codes of Fastify and its parsers. */
const frameworkErrorCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'malformed_request',
};

/**
 * Errors of requests whose row is deleted while they run, by the column that names the row. They are the errors that the
 * request would get a moment later.
 */
const lostReferenceCodes: Readonly<Record<string, ErrorCode>> = {
  workspace_id: 'workspace_not_found',
  conversation_id: 'conversation_not_found',
  channel_id: 'channel_not_found',
  document_id: 'document_not_found',
  document_number: 'document_not_found',
  source_id: 'source_not_found',
  webhook_id: 'webhook_not_found',
  key_id: 'key_not_found',
  snippet_id: 'snippet_not_found',
  note_id: 'note_not_found',
  action_id: 'action_not_found',
  person_id: 'member_not_found',
};

/**
 * Converts any error to one that clients may see. A database that cannot be used is `storage_unavailable`, and an
 * unknown error is `internal_error`; both keep their cause for the log.
 */
function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    return toValidationError(error.validation, validatedPart(request, error.validationContext));
  }
  const code =
    error instanceof Error && 'code' in error ? frameworkErrorCodes[String(error.code)] : undefined;
  if (code === 'unsupported_media_type') {
    const contentType = request.headers['content-type'];
    const detail = `The Content-Type header is ${contentType === undefined ? 'missing' : 'not supported'}. Send the body with Content-Type: application/json.`;
    return new AppError(code, { detail, cause: error });
  }
  if (code !== undefined) return new AppError(code, { cause: error });
  const lost = lostReferenceCodes[findLostReference(error) ?? ''];
  if (lost !== undefined) return new AppError(lost, { cause: error });
  const isAborted = request.raw.destroyed && !request.raw.complete;
  if (isAborted) return new AppError('malformed_request', { cause: error });
  if (!isDatabaseFault(error)) return new AppError('internal_error', { cause: error });
  return new AppError('storage_unavailable', { cause: error, retryAfterSeconds: STORAGE_RETRY_SECONDS });
}

/** A database that restarts is back after some seconds. */
const STORAGE_RETRY_SECONDS = 5;

function validatedPart(request: FastifyRequest, part: string | undefined): unknown {
  switch (part) {
    case 'headers':
      return request.headers;
    case 'params':
      return request.params;
    case 'querystring':
      return request.query;
    default:
      return request.body;
  }
}

const discardTimeoutMs = 10_000;

/**
 * Reads and discards the rest of a request body, for ten seconds at most. Many clients read no response until
 * they have sent everything; responding and closing the connection earlier would lose the response.
 */
async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, discardTimeoutMs);
    finished(request, () => {
      clearTimeout(timer);
      resolve();
    });
    request.resume();
  });
}

const parserErrorCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'receive_timeout',
};

/** Responds to requests that are not valid HTTP or never complete, and closes the connection. */
export function handleClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const appError = new AppError(parserErrorCodes[error.code ?? ''] ?? 'malformed_request');
  const id = newId('req');
  const body = JSON.stringify(presentError(appError, id));
  const head = [
    `HTTP/1.1 ${appError.status} ${STATUS_CODES[appError.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const refinementIssueSchema = z.object({ params: z.object({ code: z.string() }) });

interface Fault {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
}

/**
 * Returns the error for the issues that a schema found. A missing field comes before an invalid one, else the
 * first in the order of the schema counts. `input` is the validated value.
 */
export function toValidationError(issues: readonly FastifySchemaValidationError[], input: unknown): AppError {
  const faults = issues.map((issue) => toFault(issue, input));
  const fault = faults.find((one) => one.code === 'missing_field') ?? faults[0];
  if (fault === undefined) return new AppError('invalid_body');
  return new AppError(fault.code, fault.detail === undefined ? {} : { detail: fault.detail });
}

function toFault(issue: FastifySchemaValidationError, input: unknown): Fault {
  const [field = '', ...inside] = issue.instancePath.split('/').slice(1);
  if (field === '') return rootFault(input);
  const refinementCode = findErrorCode(refinementIssueSchema.safeParse(issue.params).data?.params.code);
  if (refinementCode === 'missing_field' || !isGiven(input, field)) {
    return { code: 'missing_field', detail: `${[field, ...inside].join('.')} is required.` };
  }
  if (refinementCode !== undefined) return { code: refinementCode, detail: undefined };
  const code = findErrorCode(`invalid_${field.replaceAll('-', '_')}`);
  if (code === undefined) return { code: 'invalid_body', detail: `${field}: ${issue.message}.` };
  const detail =
    inside.length === 0
      ? undefined
      : `${errorCatalogue[code].text} Problem at ${inside.join('.')}: ${issue.message}.`;
  return { code, detail };
}

function rootFault(input: unknown): Fault {
  if (input === undefined)
    return {
      code: 'missing_field',
      detail: 'A JSON body is required. Send one with Content-Type: application/json.',
    };
  return { code: 'invalid_body', detail: undefined };
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === 'object' && input !== null && field in input;
}
