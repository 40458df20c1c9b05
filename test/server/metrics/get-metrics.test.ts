import { expect, test } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const server = await openTestServer();
const { app, runtime, query, makeWorkspace } = server;

const scrape = async (headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url: '/metrics', headers });
const asOperator = () => scrape({ authorization: `Bearer ${runtime.installation.adminToken}` });

/** The value of a line, by its name and labels. */
function sampleOf(text: string, line: string): number | undefined {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length));
}

test.each([
  ['nothing', {}, 'missing_auth'],
  ['another scheme', { authorization: 'Basic x' }, 'malformed_auth'],
  ['an invalid token', { authorization: 'Bearer some-other-token' }, 'invalid_key'],
])('rejects %s', async (_what, headers, code) => {
  const response = await scrape({ ...headers });
  expect([response.statusCode, response.json().code]).toEqual([401, code]);
});

test('reports requests, answers, documents and jobs to the operator in the format of Prometheus', async () => {
  const { id, key } = await makeWorkspace();
  await server.addDocument(id, 'Parcels arrive within three days.');
  await runtime.documents.add({ workspaceId: id, bytes: Buffer.from('Not indexed yet.') });
  expect((await query(key, { query: 'When do parcels arrive?' })).json().confidence).not.toBe('low');
  expect((await query(key, { query: 'xylophone?' })).json().confidence).toBe('low');
  await query(key, {});
  const response = await asOperator();
  const text = response.body;
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const ofQuery = 'method="POST",route="/v1/query"';
  expect(sampleOf(text, `http_requests_total{${ofQuery},status="200"}`)).toBe(2);
  expect(sampleOf(text, `http_requests_total{${ofQuery},status="400"}`)).toBe(1);
  expect(sampleOf(text, 'http_request_duration_seconds_count{route="/v1/query"}')).toBe(3);
  expect(sampleOf(text, 'answers_total{channel="api",confidence="low"}')).toBe(1);
  expect(sampleOf(text, 'documents{status="indexed"}')).toBe(1);
  expect(sampleOf(text, 'documents{status="queued"}')).toBe(1);
  expect(sampleOf(text, 'documents{status="failed"}')).toBe(0);
  expect(sampleOf(text, 'queue_jobs{queue="ingest",state="waiting"}')).toBe(2);
  expect(sampleOf(text, 'queue_jobs{queue="ingest",state="failed"}')).toBe(0);
  expect(sampleOf(text, 'embedding_duration_seconds_count{kind="question"}')).toBeGreaterThan(0);
  expect(sampleOf(text, 'http_requests_in_flight')).toBe(1);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
});

test('reports the memory of cached documents once a workspace is searched often', async () => {
  const { id, key } = await makeWorkspace();
  await server.addDocument(id, 'Parcels arrive within three days.');
  const kept = async () => sampleOf((await asOperator()).body, 'search_memory_bytes') ?? -1;
  expect(await kept()).toBeLessThan(1_000);
  for (let index = 0; index < 20; index += 1) await query(key, { query: 'When do parcels arrive?' });
  await expect.poll(kept).toBeGreaterThan(2_000);
  expect((await query(key, { query: 'When do parcels arrive?' })).json().confidence).not.toBe('low');
});

test('never uses client input as a label', async () => {
  await app.inject({ method: 'GET', url: '/made-up-quince?secret=quokka' });
  await app.inject({ method: 'GET', url: '/admin/v1/workspaces/ws_quagga' });
  const { body } = await asOperator();
  expect(body).not.toMatch(/quince|quokka|quagga/);
  expect(sampleOf(body, 'http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
});

test('leaves out an unavailable store and reports the rest', async () => {
  const queue = { ...runtime.queue, depths: () => Promise.reject(new TypeError('gone')) };
  const lone = await openTestServer({ alter: () => ({ queue }) });
  const response = await lone.app.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${lone.runtime.installation.adminToken}` },
  });
  expect(response.statusCode).toBe(200);
  expect(response.body).not.toContain('queue_jobs{');
  expect(response.body).toContain('documents{status="indexed"} 0');
});

test('is available while the server drains', async () => {
  const draining = buildApp(runtime);
  await draining.drain();
  const response = await draining.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
  });
  expect(response.statusCode).toBe(200);
  await draining.close();
});
