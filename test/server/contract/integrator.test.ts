import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../connectors/registry.ts';
import { runIngestWorker as ingest } from '../../../workers/ingest/worker.ts';
import { fakeConnector } from '../../helpers/platforms/fake/connector.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { anyRequest } from '../../helpers/servers/openapi/any-request.ts';
import { readApi } from '../../helpers/servers/openapi/api-operations.ts';
import { startPrism } from '../../helpers/servers/openapi/start-prism.ts';
import { openApiClient } from '../../helpers/servers/walks/api-client.ts';
import { walkApi } from '../../helpers/servers/walks/walk-api.ts';

const sourceFolder = join(import.meta.dirname, '../../fixtures/documents');
const { app, runtime, makeWorkspace } = await openTestServer({
  runtime: {
    connectors: [fakeConnector, ...connectors],
    environment: { SOURCE_FOLDERS: sourceFolder },
  },
  app: { liveSeconds: 1 },
});
// This makes the first owner of the installation, for whom the folder is.
await makeWorkspace();
await runtime.processes.addRole('workers');
afterAll(await ingest(runtime));
const upstream = await app.listen({ port: 0, host: '127.0.0.1' });
const description = (await app.inject({ method: 'GET', url: '/openapi.json' })).body;
const { operations } = readApi(JSON.parse(description));
const prism = await startPrism(description, upstream);

const violationsSchema = z.array(z.object({ location: z.array(z.coerce.string()), message: z.string() }));

/** A violation that Prism found in a request or its response: the location and the problem. */
function violationsOf(response: Response): string[] {
  const told = response.headers.get('sl-violations');
  const violations = told === null ? [] : violationsSchema.parse(JSON.parse(told));
  return violations.map(({ location, message }) => `${location.join('.')}: ${message}`);
}

describe.each([
  ['directly', upstream],
  ['through Prism', prism],
])('a client generated from the description, %s,', (_way, baseUrl) => {
  const heard = new Map<string, string[]>();
  const clientOf = (token?: string) =>
    openApiClient({
      baseUrl,
      ...(token === undefined ? {} : { token }),
      heard(operation, response) {
        const before = heard.get(operation) ?? [];
        heard.set(operation, [...before, ...violationsOf(response)]);
      },
    });

  test('finds every operation and its documented results', async () => {
    await walkApi({
      anybody: clientOf(),
      operator: clientOf(runtime.installation.adminToken),
      integrator: clientOf,
      sourceFolder,
    });
    const all = operations.map(({ method, path }) => `${method} ${path}`);
    expect([...heard.keys()].sort()).toEqual(all.sort());
  });

  test('sends and receives only documented data', () => {
    expect([...heard].filter(([, violations]) => violations.length > 0)).toEqual([]);
  });
});

describe('Prism', () => {
  test('reports a request that violates the description, so the check works', async () => {
    const { key } = await makeWorkspace({ owner: 'own_integrator' });
    const response = await send('/v1/query', { method: 'POST', token: key, body: '{"query":5}' });
    expect(violationsOf(response)).toEqual([
      'request.body.query: Request body property query must be string',
    ]);
  });

  test.each(operations)(
    'finds no response of $method $path that violates it, for any request',
    async (operation) => {
      const { id, key } = await makeWorkspace({ owner: 'own_integrator' });
      const { adminToken } = runtime.installation;
      const token = 'apiKey' in (operation.security?.[0] ?? {}) ? key : adminToken;
      const seed = 7;
      for (const { path, headers, body } of fc.sample(anyRequest(operation, { workspace_id: [id] }), {
        numRuns: 4,
        seed,
      })) {
        // Prism serialises bodies again. Bodies that it parses differently never arrive.
        if (body !== undefined && !(operation.requestBody && isObjectAsPrismWritesIt(body))) continue;
        const response = await send(path, { method: operation.method.toUpperCase(), token, headers, body });
        const ofAnswer = violationsOf(response).filter((violation) => violation.startsWith('response'));
        expect(ofAnswer, `${path} ${body} ${await response.text()}`).toEqual([]);
      }
    },
  );
});

interface Sent {
  readonly method: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

function send(path: string, { method, token, headers = {}, body }: Sent): Promise<Response> {
  return fetch(`${prism}${path}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined || method === 'GET' ? {} : { body }),
    signal: AbortSignal.timeout(10_000),
  });
}

function isObjectAsPrismWritesIt(text: string): boolean {
  try {
    return text.startsWith('{') && JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}
