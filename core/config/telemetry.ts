import { z } from 'zod';

/** The variables of OpenTelemetry that Parley reads, with their standard names. */

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type TraceSampler = (typeof samplers)[number];

const endpoint = z.url({ protocol: /^https?$/, hostname: /./, abort: true }).optional();

/** `name=value` pairs, separated by commas. Values are percent-encoded, as in W3C Baggage. */
const pairs = z.string().transform((value, context) => {
  const found = parsePairs(value);
  if (found !== null) return found;
  context.addIssue('invalid pairs');
  return z.NEVER;
});

function parsePairs(value: string): Readonly<Record<string, string>> | null {
  const found: Record<string, string> = {};
  for (const part of value.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    const text = decode(part.slice(equals + 1).trim());
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) || text === null) return null;
    found[name] = text;
  }
  return found;
}

/** Line breaks would begin a header of their own. */
function decode(value: string): string | null {
  try {
    const text = decodeURIComponent(value);
    return /^[^\r\n\0]*$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

export const telemetryShape = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf').default('http/protobuf'),
  OTEL_SERVICE_NAME: z.string().max(255).default('parley'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SDK_DISABLED: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
};

const pairsFormat = 'a comma-separated list of name=value, such as';

/** The valid values of each variable, as shown to operators after "Set it to". */
export const telemetryValues: Readonly<Record<keyof typeof telemetryShape, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'the http(s) URL of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318, or leave it empty to export no spans',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
    'the http(s) URL that spans are posted to, such as http://127.0.0.1:4318/v1/traces, or leave it empty',
  OTEL_EXPORTER_OTLP_HEADERS: `${pairsFormat} authorization=Bearer%20…, or leave it empty`,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: `${pairsFormat} authorization=Bearer%20…, or leave it empty`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf, the only protocol that Parley speaks, or leave it empty',
  OTEL_SERVICE_NAME: 'the name of the service in traces, at most 255 characters',
  OTEL_RESOURCE_ATTRIBUTES: `${pairsFormat} deployment.environment.name=production, or leave it empty`,
  OTEL_TRACES_SAMPLER: `one of ${samplers.join(', ')}`,
  OTEL_TRACES_SAMPLER_ARG: 'the share of traces to export, from 0 to 1',
  OTEL_SDK_DISABLED: 'true to export no spans, or to false',
};

/** The variables whose values are never shown. An address may hold a password. */
export const secretTelemetry: readonly string[] = Object.keys(telemetryShape).filter(
  (name) => name.endsWith('_HEADERS') || name.endsWith('_ENDPOINT'),
);

type TelemetryVariables = z.output<z.ZodObject<typeof telemetryShape>>;

/** Where spans go, and which. */
export interface TelemetrySettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: TraceSampler;
  /** The share of traces that a sampler by ratio exports. */
  readonly ratio: number;
}

/** Returns null if no endpoint is set or spans are disabled. Pure. */
export function findTelemetry(variables: TelemetryVariables): TelemetrySettings | null {
  const url = findTracesUrl(variables);
  if (url === null || variables.OTEL_SDK_DISABLED) return null;
  return {
    url,
    headers: { ...variables.OTEL_EXPORTER_OTLP_HEADERS, ...variables.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    serviceName: variables.OTEL_SERVICE_NAME,
    resource: variables.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: variables.OTEL_TRACES_SAMPLER,
    ratio: variables.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** The specification appends the path to the general endpoint only. */
function findTracesUrl(variables: TelemetryVariables): string | null {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: general } = variables;
  if (traces !== undefined) return traces;
  if (general === undefined) return null;
  const url = new URL(general);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  return url.href;
}
