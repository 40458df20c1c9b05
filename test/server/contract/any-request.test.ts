import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runIngestWorker as ingest } from '../../../workers/ingest/worker.ts';
import { fakeConnector } from '../../helpers/platforms/fake/connector.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { answerChecker } from '../../helpers/servers/openapi/answer-checker.ts';
import { anyRequest } from '../../helpers/servers/openapi/any-request.ts';
import { type ApiOperation, readApi } from '../../helpers/servers/openapi/api-operations.ts';

/**
 * The number of requests in all; run `PARLEY_RUNS=10000 npx vitest run test/server/contract` for a long
 * check.
 */
const runs = Number(process.env.PARLEY_RUNS ?? 400);

/** Requests are two seconds apart on the clock, so that none reaches a rate limit. */
let moment = Date.parse('2026-03-01T00:00:00Z');
const clock = {
  now: () => {
    moment += 2_000;
    return new Date(moment);
  },
};
const server = await openTestServer({
  runtime: { clock, connectors: [fakeConnector] },
  app: { liveSeconds: 0 },
});
const { app, runtime } = server;
const stopWorker = await ingest(runtime);
await runtime.processes.addRole('workers');
afterAll(() => stopWorker());

const { operations, schemas } = readApi((await app.inject({ method: 'GET', url: '/openapi.json' })).json());
const check = answerChecker(schemas);

/** Resources are made anew only after an operation that removes one: making them takes most of the time. */
let addressed: ReturnType<typeof somethingToAddress> | undefined;

test('the check detects an undocumented status, a body of another shape, and internal details', () => {
  const health = operations.find(({ operationId }) => operationId === 'getHealth');
  if (health === undefined) throw new TypeError('no such operation');
  const contentType = 'application/json';
  const faultsOf = (status: number, body: object) =>
    check(health, { status, contentType, body: JSON.stringify(body) }).length;
  const error = { code: 'internal_error', request_id: 'req_1' };
  expect(faultsOf(200, { status: 'alive' })).toBe(0);
  expect(faultsOf(200, { status: 'dead' })).toBe(1);
  expect(faultsOf(418, { status: 'alive' })).toBe(1);
  expect(faultsOf(500, { ...error, detail: 'Something went wrong on our side.' })).toBe(0);
  expect(faultsOf(500, { ...error, code: 'another_code', detail: 'Something.' })).toBe(1);
  expect(faultsOf(500, { ...error, detail: 'TypeError: x at run (/srv/app/ask.ts:10:5)' })).toBe(1);
  expect(faultsOf(500, { ...error, detail: 'select id from message where 1' })).toBe(1);
});

test.each(operations)(
  'every request to $method $path gets a documented response without internal details',
  async (operation) => {
    addressed ??= somethingToAddress();
    const { known, key } = await addressed;
    const token = { apiKey: key, adminToken: runtime.installation.adminToken };
    await fc.assert(
      fc.asyncProperty(anyRequest(operation, known), async ({ path, headers, body }) => {
        const response = await app.inject({
          method: methodOf(operation),
          url: path,
          headers: { ...headers, ...authorization(operation, token) },
          ...(body === undefined ? {} : { payload: body }),
        });
        const answer = {
          status: response.statusCode,
          contentType: response.headers['content-type'],
          body: response.body,
        };
        expect(check(operation, answer)).toEqual([]);
        expect(answer.status, answer.body).not.toBe(429);
        if (operation.path !== '/readyz') expect(answer.status, answer.body).toBeLessThan(500);
      }),
      { numRuns: Math.ceil(runs / operations.length) },
    );
    if (operation.method === 'delete') addressed = undefined;
  },
  120_000,
);

/** Makes a workspace with one of each resource, which the requests may change or delete. */
async function somethingToAddress() {
  const settings = { audiences: ['staff'], nlweb_enabled: true, mcp_enabled: true };
  const { id, owner } = await server.makeWorkspace({ plan: 'enterprise', settings });
  const content = 'Parcels arrive within three days.';
  const document = await server.operate('POST', `/workspaces/${id}/documents?wait=true`, { content });
  const skill = await server.operate('POST', `/workspaces/${id}/skills`, {
    name: 'refused',
    description: 'Calls an address that is never called.',
    parameters: { type: 'object' },
    url: 'https://127.0.0.1/',
  });
  const channel = await server.operate('POST', `/workspaces/${id}/channels`, {
    channel: 'fake',
    credentials: { token: 'token-of-the-bot', signing_key: 'signing-key' },
    settings: { api_base_url: 'https://127.0.0.1/', verify: false },
  });
  const spare = await runtime.apiKeys.create(id, { name: 'Spare' });
  // The key belongs to another workspace, so that it stays valid if this workspace is deleted.
  const caller = await server.makeWorkspace({ plan: 'enterprise', owner, settings });
  const { value: key } = await runtime.apiKeys.create(caller.id, {
    name: 'Caller',
    rateLimitMinute: 1_000,
    rateLimitDay: 100_000,
  });
  const asked = await server.query(key, { query: 'When do parcels arrive?', workspace_id: id });
  const known = {
    workspace_id: [id],
    doc_id: [document.json().id],
    document_ids: [[document.json().id]],
    audience: [['staff'], []],
    skill_id: [skill.json().id],
    chan_id: [channel.json().id],
    channel: ['fake', 'pigeon'],
    key_id: [spare.apiKey.id],
    conversation_id: [asked.json().conversation_id],
    conv_id: [asked.json().conversation_id],
  };
  return { known, key };
}

function authorization({ security = [] }: ApiOperation, token: Readonly<Record<string, string>>) {
  const scheme = Object.keys(security[0] ?? {})[0];
  return scheme === undefined ? {} : { authorization: `Bearer ${token[scheme]}` };
}

function methodOf({ method }: ApiOperation) {
  const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
  const found = Object.entries(methods).find(([name]) => name === method)?.[1];
  if (found === undefined) throw new TypeError(`no method ${method}`);
  return found;
}
