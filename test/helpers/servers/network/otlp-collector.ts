import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { afterAll } from 'vitest';

type Value = string | number | boolean | readonly Value[];

/** A span as a collector reads it. Ids are hexadecimal, times are milliseconds. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 2 means that it failed. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, Value>>;
  /** The ids of the traces that it links to. */
  readonly links: readonly string[];
  readonly resource: Readonly<Record<string, Value>>;
}

/** A collector of OTLP over HTTP on a free port, which decodes protobuf; stopped after the test file. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const collector = {
    url: '',
    spans,
    requests,
    /** The status of its answers; null: it never answers. */
    status: 200 as number | null,
    /** Runs whenever spans or a refused request came. */
    onRequest: () => {},
  };
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const body = await buffer(request);
    requests.push({ path, headers });
    if (collector.status === 200) spans.push(...readSpans(body));
    if (collector.status !== null) response.writeHead(collector.status).end();
    collector.onRequest();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  collector.url = `http://127.0.0.1:${address.port}`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return collector;
}

/** Reads an `ExportTraceServiceRequest` of opentelemetry/proto/collector/trace/v1. */
function readSpans(body: Uint8Array): readonly CollectedSpan[] {
  return messages(body, 1).flatMap((ofResource) => {
    const resource = readAttributes(messages(ofResource, 1).flatMap((each) => messages(each, 1)));
    const all = messages(ofResource, 2).flatMap((ofScope) => messages(ofScope, 2));
    return all.map((span) => ({
      traceId: hex(span, 1),
      spanId: hex(span, 2),
      parentSpanId: hex(span, 4),
      name: text(messages(span, 5)[0]),
      startMs: numberOf(span, 7) / 1e6,
      endMs: numberOf(span, 8) / 1e6,
      status: numberOf(messages(span, 15)[0] ?? new Uint8Array(), 3),
      attributes: readAttributes(messages(span, 9)),
      links: messages(span, 13).map((link) => hex(link, 1)),
      resource,
    }));
  });
}

function readAttributes(pairs: readonly Uint8Array[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    pairs.map((pair) => [text(messages(pair, 1)[0]), readValue(messages(pair, 2)[0] ?? new Uint8Array())]),
  );
}

/** Reads an `AnyValue`: the field tells its type. */
function readValue(bytes: Uint8Array): Value {
  const [[field, value] = [0, 0n]] = readFields(bytes);
  if (typeof value === 'object') {
    return field === 1 ? text(value) : messages(value, 1).map(readValue);
  }
  if (field === 2) return value === 1n;
  return field === 4 ? toDouble(value) : Number(BigInt.asIntN(64, value));
}

function toDouble(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

const messages = (bytes: Uint8Array, wanted: number): readonly Uint8Array[] =>
  readFields(bytes).flatMap(([field, value]) =>
    field === wanted && typeof value === 'object' ? [value] : [],
  );
const numberOf = (bytes: Uint8Array, wanted: number): number =>
  Number(readFields(bytes).find(([field]) => field === wanted)?.[1] ?? 0);
const hex = (bytes: Uint8Array, wanted: number): string =>
  Buffer.from(messages(bytes, wanted)[0] ?? []).toString('hex');
const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

function readFields(bytes: Uint8Array): readonly (readonly [number, Uint8Array | bigint])[] {
  const reader = new BinaryReader(bytes);
  const fields: (readonly [number, Uint8Array | bigint])[] = [];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    switch (wireType) {
      case WireType.LengthDelimited:
        fields.push([field, reader.bytes()]);
        break;
      case WireType.Varint:
        fields.push([field, BigInt(reader.uint64())]);
        break;
      case WireType.Bit64:
        fields.push([field, BigInt(reader.fixed64())]);
        break;
      default:
        reader.skip(wireType);
    }
  }
  return fields;
}
