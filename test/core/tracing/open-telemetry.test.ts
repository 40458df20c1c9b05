import { describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import type { TelemetrySettings } from '../../../core/config/telemetry.ts';
import { openExport } from '../../../core/tracing/open-telemetry.ts';
import type { EndedSpan } from '../../../core/tracing/spans.ts';
import { placeOf } from '../../../core/tracing/trace-ids.ts';
import { startCollector } from '../../helpers/servers/network/otlp-collector.ts';

const spanOf = (message: string, more: Partial<EndedSpan> = {}): EndedSpan => ({
  ...placeOf({ messageId: message }),
  ...{ parentSpanId: null, name: message, kind: 'internal', startMs: 1_000, endMs: 1_002.5 },
  ...{ attributes: {}, error: null },
  ...more,
});

async function openTestExport(changed: Partial<TelemetrySettings> = {}) {
  const collector = await startCollector();
  const lines: string[] = [];
  const counts = { exported: 0, failed: 0, dropped: 0 };
  const outlet = openExport({
    settings: {
      ...{ url: `${collector.url}/v1/traces`, headers: { authorization: 'Bearer secret-quagga' } },
      ...{ serviceName: 'shop', resource: { 'deployment.environment.name': 'test' } },
      ...{ sampler: 'parentbased_always_on', ratio: 1 },
      ...changed,
    },
    log: createLog('info', { write: (line) => void lines.push(line) }),
    count: (outcome, spans) => {
      counts[outcome] += spans;
    },
    ...{ version: '1.2.3', instance: 'process-1', everyMs: 10 },
  });
  const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 10 });
  return { collector, outlet, lines, counts, eventually };
}

describe('the export of spans', () => {
  test('speaks OTLP over HTTP with the headers, the resource and every kind of attribute', async () => {
    const { collector, outlet, counts } = await openTestExport();
    const attributes = { name: 'a', whole: 7, share: 0.25, yes: true, ids: ['x', 'y'], nothing: undefined };
    const other = placeOf({ messageId: 'other' });
    outlet.add([spanOf('m', { attributes, error: 'timeout', links: [other], parentSpanId: 'ab'.repeat(8) })]);
    await outlet.close();
    expect(collector.requests).toMatchObject([
      { path: '/v1/traces', headers: { authorization: 'Bearer secret-quagga' } },
    ]);
    expect(collector.requests[0]?.headers['content-type']).toBe('application/x-protobuf');
    const { nothing: _, ...set } = attributes;
    expect(collector.spans).toMatchObject([
      {
        ...{ traceId: placeOf({ messageId: 'm' }).traceId, parentSpanId: 'ab'.repeat(8), name: 'm' },
        ...{ startMs: 1_000, endMs: 1_002.5, status: 2, links: [other.traceId] },
        resource: {
          ...{ 'service.name': 'shop', 'service.version': '1.2.3', 'service.instance.id': 'process-1' },
          'deployment.environment.name': 'test',
        },
      },
    ]);
    expect(collector.spans[0]?.attributes).toEqual({ ...set, 'error.type': 'timeout' });
    expect(counts).toEqual({ exported: 1, failed: 0, dropped: 0 });
  });

  test('logs one line for an outage and one for its end, counts what was lost, and shows no header', async () => {
    const { collector, outlet, lines, counts, eventually } = await openTestExport();
    collector.status = 400;
    outlet.add([spanOf('a')]);
    await eventually(() => expect(counts.failed).toBe(1));
    outlet.add([spanOf('b'), spanOf('c')]);
    await eventually(() => expect(counts.failed).toBe(3));
    collector.status = 200;
    outlet.add([spanOf('d')]);
    await eventually(() => expect(counts.exported).toBe(1));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'span export failed',
      'span export recovered',
    ]);
    expect(lines.join()).not.toContain('quagga');
    expect(collector.spans.map(({ name }) => name)).toEqual(['d']);
  });

  test('drops and counts spans that find no room, while a collector does not answer', async () => {
    const { collector, outlet, counts, eventually } = await openTestExport();
    collector.status = null;
    outlet.add([spanOf('first')]);
    await eventually(() => expect(collector.requests).toHaveLength(1));
    outlet.add(Array.from({ length: 5_000 }, (_, index) => spanOf(`m${index}`)));
    expect(counts.dropped).toBe(5_000 - 4_096);
  });

  test.each([
    ['always_on', 1, [true, true]],
    ['always_off', 1, [false, false]],
    ['traceidratio', 0, [false, false]],
    ['parentbased_always_on', 1, [true, false]],
    ['parentbased_always_off', 1, [false, false]],
    ['parentbased_traceidratio', 1, [true, false]],
  ] as const)(
    'samples as %s at %d says, and asks the caller where it says so',
    async (sampler, ratio, taken) => {
      const { collector, outlet } = await openTestExport({ sampler, ratio });
      outlet.add([spanOf('own'), spanOf('callers', { isCallerSampled: false })]);
      await outlet.close();
      const names = collector.spans.map(({ name }) => name);
      expect([names.includes('own'), names.includes('callers')]).toEqual(taken);
    },
  );

  test('takes about the share of the traces that a ratio says, and all spans of each', async () => {
    const { collector, outlet } = await openTestExport({ sampler: 'parentbased_traceidratio', ratio: 0.25 });
    const roots = Array.from({ length: 400 }, (_, index) => spanOf(`m${index}`));
    outlet.add(roots.flatMap((root) => [root, { ...root, spanId: 'cd'.repeat(8) }]));
    await outlet.close();
    const traces = Map.groupBy(collector.spans, ({ traceId }) => traceId);
    expect(traces.size).toBeGreaterThan(60);
    expect(traces.size).toBeLessThan(140);
    expect([...traces.values()].every(({ length }) => length === 2)).toBe(true);
  });
});
