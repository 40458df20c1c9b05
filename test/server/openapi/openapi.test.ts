import { expect, test } from 'vitest';
import { z } from 'zod';
import { buildApp } from '../../../server/app.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { readApi } from '../../helpers/servers/openapi/api-operations.ts';

/**
 * The routes next to the API: pages, this description, preflights, and protocols with their own description.
 */
const besideTheApi =
  /^(GET \/|GET \/(openapi\.json|docs.*|llms(-full)?\.txt|\.well-known\/parley-report-key\.json|install\/.*|webhooks\/\{chan_id\})|POST \/webhooks\/sources\/\{source_id\}|OPTIONS .*|[A-Z]+ .*\/mcp|GET .*\/channels\/\{chan_id\}\/preview\/\{kind\})$|^[A-Z]+ \/(?:widget\.js$|widget\/assets\/|widget\/\{public_token\}$|c\/|dashboard(?:\/|$))/;

const app = buildApp(await openTestRuntime({ environment: { PUBLIC_URL: 'https://help.example/api/' } }));
const routes: { readonly name: string; readonly hidden: boolean }[] = [];
app.addHook('onRoute', ({ method, url, schema }) => {
  // The rejections of unsupported methods are one route for several of them.
  if (typeof method !== 'string' || method === 'HEAD') return;
  routes.push({ name: `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`, hidden: schema?.hide === true });
});
const response = await app.inject({ method: 'GET', url: '/openapi.json' });
const description = response.json();
const { operations } = readApi(description);

test('is OpenAPI 3.1 with a licence, public, at the public URL', () => {
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  expect(description).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Parley', license: { identifier: 'MIT' } },
    servers: [{ url: 'https://help.example/api' }],
  });
});

test('describes every route, and no internal one', () => {
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const expected = routes.flatMap(({ name, hidden }) => (hidden ? [] : name));
  expect(expected.length).toBeGreaterThan(15);
  expect(described.sort()).toEqual(expected.sort());
  const hidden = routes.filter((route) => route.hidden).map(({ name }) => name);
  expect(hidden.filter((name) => !besideTheApi.test(name))).toEqual([]);
});

test.each(operations)('$method $path has a security scheme, a description and a name', (operation) => {
  const { operationId, summary, description: effect, tags, security } = operation;
  expect({ operationId, summary, effect, tags: tags?.length, security }).toEqual({
    operationId: expect.stringMatching(/^[a-z]+([A-Z][a-z]+)*$/),
    summary: expect.stringMatching(/^[A-Z].+[^.]$/),
    effect: expect.stringMatching(/^[A-Z`].+\.$/s),
    tags: 1,
    security: expect.any(Array),
  });
  expect(description.tags.map(({ name }: { name: string }) => name)).toContain(tags?.[0]);
});

test.each(operations)(
  '$method $path has the parameters of all routes below its path',
  ({ path, security, operationId, 'x-scope': scope }) => {
    const isVisitors =
      path.startsWith('/widget/') && !['getWidget', 'openSession'].includes(String(operationId));
    const isOperators = /^\/(admin|metrics)/.test(path);
    const ours = isOperators ? 'adminToken' : isVisitors ? 'visitorSession' : null;
    const expected = path.startsWith('/v1/') ? 'apiKey' : ours;
    const keys = scope === undefined ? [] : ['apiKey'];
    const schemes = path.startsWith('/admin/') ? ['adminToken', 'session', ...keys] : [expected];
    expect(security).toEqual(expected === null ? [] : schemes.map((scheme) => ({ [String(scheme)]: [] })));
  },
);

test.each(operations)('$method $path lists the codes and headers of every response', ({ responses }) => {
  for (const [status, answer] of Object.entries(responses)) {
    expect(Object.keys(answer.headers), status).toContain('X-Request-Id');
    expect(answer.description, status).not.toBe('Default Response');
    if (status.startsWith('2')) continue;
    expect(answer.codes, status).not.toEqual([]);
    if (status === '401' || answer.codes.includes('insufficient_scope'))
      expect(Object.keys(answer.headers)).toContain('WWW-Authenticate');
    if (status === '429' || answer.codes.includes('deploying'))
      expect(Object.keys(answer.headers)).toContain('Retry-After');
  }
});

test('contains a shared error response once', () => {
  const written = Object.values(description.paths)
    .flatMap((methods) => Object.values(z.record(z.string(), z.unknown()).parse(methods)))
    .flatMap((operation) =>
      Object.entries(z.object({ responses: z.looseObject({}) }).parse(operation).responses),
    )
    .filter(([status, answer]) => !status.startsWith('2') && !JSON.stringify(answer).startsWith('{"$ref"'))
    .map((entry) => JSON.stringify(entry));
  expect(written.filter((answer, index) => written.indexOf(answer) !== index)).toEqual([]);
  expect(Object.keys(description.components.responses)).toEqual(
    expect.arrayContaining(['Unauthorized', 'InternalError', 'WorkspaceNotFound']),
  );
  expect(response.body.length).toBeLessThan(950_000);
});

test('contains no pattern next to a format, and none that needs a flag', () => {
  const patterns: string[] = [];
  JSON.parse(response.body, (_key, value) => {
    const told = z.object({ pattern: z.string(), format: z.string().optional() }).safeParse(value).data;
    if (told?.format !== undefined) patterns.push(`${told.format}: ${told.pattern}`);
    if (told !== undefined && /\\[pPu]\{|--|&&/.test(told.pattern)) patterns.push(told.pattern);
    return value;
  });
  expect(patterns).toEqual([]);
});

test('does not promise that no field will be added', () => {
  expect(response.body).not.toContain('"additionalProperties":false');
});

test('lists the fields and the errors of a query', () => {
  const { requestBody, responses } = description.paths['/v1/query'].post;
  const { schema } = requestBody.content['application/json'];
  expect(schema.required).toEqual(['query']);
  expect(schema.properties.top_k).toMatchObject({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 20,
    default: 5,
  });
  expect(responses[200].content['application/json'].schema.required).toContain('conversation_id');
  const query = operations.find(({ operationId }) => operationId === 'query');
  expect(query?.security).toEqual([{ apiKey: [] }]);
  const codes = Object.values(query?.responses ?? {}).flatMap((answer) => answer.codes);
  for (const field of Object.keys(schema.properties)) {
    expect(codes, field).toContain(`invalid_${field}`);
  }
  expect(codes).toEqual(
    expect.arrayContaining(['missing_field', 'message_too_long', 'expired_key', 'duplicate_request_id']),
  );
  expect(query?.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
  expect(Object.keys(query?.responses[200]?.headers ?? {})).toEqual([
    'X-Request-Id',
    'X-RateLimit-Limit-Minute',
    'X-RateLimit-Remaining-Minute',
    'X-RateLimit-Limit-Day',
    'X-RateLimit-Remaining-Day',
    'X-RateLimit-Reset-Day',
    'Idempotency-Replayed',
  ]);
});

test('describes every frame of a stream', () => {
  const { responses } = description.paths['/v1/query/stream'].post;
  const frames = responses[200].content['text/event-stream'].schema.contentSchema.anyOf;
  expect(frames.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1))).toEqual([
    'StatusFrame',
    'TokenFrame',
    'FinalFrame',
    'ErrorFrame',
  ]);
  expect(description.components.schemas.FinalFrame.required.toSorted()).toEqual(
    [
      ...['token', 'done', 'sources', 'citations', 'tokens_used', 'conversation_id', 'message_id'],
      ...['confidence', 'skills_fired', 'query_id', 'tier', 'probability', 'ai_generated', 'quoted', 'lead'],
    ].sort(),
  );
});

test('an operation that is served while the server drains never returns deploying, others may', () => {
  const codesOf = (id: string) =>
    Object.values(operations.find(({ operationId }) => operationId === id)?.responses ?? {}).flatMap(
      ({ codes }) => codes,
    );
  expect(codesOf('getHealth')).not.toContain('deploying');
  expect(codesOf('getReadiness')).toContain('deploying');
});

test('describes the response to a request that matches no operation', () => {
  expect(description['x-otherwise']).toMatchObject({
    404: { content: { 'application/json': { schema: expect.anything() } } },
    405: { headers: { Allow: expect.anything() } },
  });
});
