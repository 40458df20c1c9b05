import { expect, test } from 'vitest';
import { openTestServer } from '../helpers/open-test-server.ts';

const { app } = await openTestServer();
const response = await app.inject({ method: 'GET', url: '/openapi.json' });
const description = response.json();

test('is OpenAPI 3.1, for anybody', () => {
  expect(response.statusCode).toBe(200);
  expect(description).toMatchObject({ openapi: '3.1.0', info: { title: 'Parley' } });
});

test('describes every route, and no helper of ours', () => {
  const operations = Object.entries<object>(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const workspace = '/admin/v1/workspaces/{workspace_id}';
  expect(operations.sort()).toEqual(
    [
      'get /healthz',
      'get /readyz',
      'post /v1/query',
      'get /api/nlweb/{workspace_id}',
      'get /api/nlweb/{workspace_id}/ask',
      'post /api/nlweb/{workspace_id}/ask',
      'post /admin/v1/workspaces',
      'get /admin/v1/workspaces',
      `get ${workspace}`,
      `patch ${workspace}`,
      `delete ${workspace}`,
      `post ${workspace}/keys`,
      `get ${workspace}/keys`,
      `delete ${workspace}/keys/{key_id}`,
      `post ${workspace}/documents`,
      `get ${workspace}/documents`,
      `get ${workspace}/documents/{doc_id}`,
      `delete ${workspace}/documents/{doc_id}`,
      `post ${workspace}/search`,
    ].sort(),
  );
});

test('does not promise that no field will ever be added', () => {
  expect(response.body).not.toContain('"additionalProperties":false');
});

test('names the fields that a query takes and answers with', () => {
  const { requestBody, responses, security } = description.paths['/v1/query'].post;
  const { schema } = requestBody.content['application/json'];
  expect(schema.required).toEqual(['query']);
  expect(schema.properties.top_k).toMatchObject({ type: 'integer', minimum: 1, maximum: 20, default: 5 });
  expect(responses[200].content['application/json'].schema.required).toContain('conversation_id');
  expect(responses[401].content['application/json'].schema.properties.code.enum).toContain('invalid_key');
  expect(security).toEqual([{ apiKey: [] }]);
});

test('refers to every schema that it holds, and to no other', () => {
  const references = [...response.body.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    (match) => match[1],
  );
  expect(references.length).toBeGreaterThan(0);
  expect(Object.keys(description.components.schemas)).toEqual(
    expect.arrayContaining([...new Set(references)]),
  );
});
