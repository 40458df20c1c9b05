import { afterAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { placeOf } from '../../../core/tracing/trace-ids.ts';
import { runAnswerWorker } from '../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../workers/deliver/worker.ts';
import { fakeConnector, fakeSignature } from '../../helpers/platforms/fake/connector.ts';
import { openFakePlatform } from '../../helpers/platforms/fake/platform.ts';
import { startCollector } from '../../helpers/servers/network/otlp-collector.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const key = 'signing-key-of-the-app';
const endSchema = z.object({ msg: z.string(), event: z.string().optional() }).loose();

/** On PostgreSQL the server and the workers have a runtime each, as two processes do. */
describe.each(testEngines)('a message on a channel, traced on %s,', async (engine) => {
  const platform = await openFakePlatform();
  const collector = await startCollector();
  const lines: string[] = [];
  const options = {
    connectors: [fakeConnector],
    logged: { write: (line: string) => void lines.push(line) },
    environment: {
      ...{ ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'https://help.example', LOG_LEVEL: 'info' },
      ...{ ENCRYPTION_KEY: 'ab'.repeat(32), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      ...(engine === 'postgres' && { DATABASE_URL: await createDatabase() }),
    },
  };
  const server = await openTestServer({ runtime: options });
  const working = engine === 'postgres' ? await openTestRuntime(options) : server.runtime;
  const workspace = await server.makeWorkspace();
  await server.addDocument(workspace.id, '# Opening hours\n\nThe shop is open from nine to five.');
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'fake',
    credentials: { token: 'token-of-the-shop', signing_key: key },
    settings: { api_base_url: platform.url },
  });
  const { id: channelId } = z.object({ id: z.string() }).parse(added.json());
  const stops = await Promise.all([runAnswerWorker(working), runDeliverWorker(working)]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const post = (id: string, lane: string, text: string) => {
    const body = JSON.stringify({ type: 'event', id, lane, text });
    const headers = { 'content-type': 'application/json', 'x-signature': fakeSignature(key, body) };
    return server.app.inject({ method: 'POST', url: `/webhooks/${channelId}`, headers, payload: body });
  };
  const endOf = async (eventId: string) =>
    vi.waitFor(
      () => {
        const ends = lines.map((line) => endSchema.parse(JSON.parse(line)));
        const [end, ...others] = ends.filter(
          ({ msg, event }) => msg === 'message ended' && event === eventId,
        );
        expect(others).toEqual([]);
        if (end === undefined) throw new TypeError(`no end of ${eventId}`);
        return end;
      },
      { timeout: 20_000, interval: 20 },
    );

  test('is one trace from the webhook to its last part, and has one line at its end', async () => {
    await post('e1', 'chat-1', 'When is the shop open?');
    const answered = await endOf('e1');
    platform.refusals.set('/send', 'no such bot');
    await post('e2', 'chat-2', 'When does the shop open?');
    const refused = await endOf('e2');
    await Promise.all([server.runtime.spans?.close(), working.spans?.close()]);
    const tracesOf = (eventId: string) => {
      const { traceId } = placeOf({ channelId, eventId });
      return collector.spans.filter((span) => span.traceId === traceId);
    };
    const spans = tracesOf('e1');
    const names = spans.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['receive', 'wait', 'answer', 'searching', 'send', 'message']),
    );
    const [root] = spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(root).toMatchObject({
      name: 'message',
      attributes: { 'parley.event.id': 'e1', 'parley.message.outcome': 'answered' },
    });
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    expect(spans.filter((span) => span !== root && !ids.has(span.parentSpanId))).toEqual([]);
    expect(names.filter((name) => name === 'message')).toHaveLength(1);
    expect(
      collector.spans.every(({ traceId }) =>
        [...tracesOf('e1'), ...tracesOf('e2')].some((span) => span.traceId === traceId),
      ),
    ).toBe(true);
    expect(answered).toMatchObject({
      ...{ workspace: workspace.id, kind: 'fake', channel: channelId, outcome: 'answered' },
      ...{ attempts: 1, parts: 1, partAttempts: 1, trace: root?.traceId },
    });
    expect(tracesOf('e2').find(({ name }) => name === 'send')).toMatchObject({
      status: 2,
      attributes: { 'error.type': 'account_refused', 'parley.part.attempt': 1 },
    });
    expect(refused).toMatchObject({ outcome: 'undelivered', parts: 1 });
    expect(JSON.stringify([collector.spans, answered, refused])).not.toMatch(/shop is open|the shop/);
  });
});
