import { LRUCache } from 'lru-cache';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { MessageEnd } from '../contract/trace/message-end.ts';
import type { Clock } from './clock.ts';

export type { Logger } from 'pino';

/** The process that a line is from. A terminal shows one process, so it leaves these fields out. */
export interface LogProcess {
  readonly process: string;
  readonly host: string;
  /** The words of its command line, such as `workers answer deliver`. */
  readonly role: string;
  readonly version: string;
}

/**
 * Creates the structured log: one JSON object per line, secrets replaced by `[redacted]`, times in ISO 8601.
 * The bindings of child loggers are not redacted; they only contain request ids.
 */
export function createLog(
  level: string,
  stream: DestinationStream = standardError(),
  base: LogProcess | null = null,
): Logger {
  return pino(
    {
      level,
      base: base && { ...base },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: { streamWrite: redactOwnSecrets },
      formatters: { level: (label) => ({ level: label }), log: redactLine },
      serializers: { err: (err: Error) => redactSecrets({ err: pino.stdSerializers.errWithCause(err) }).err },
    },
    stream,
  );
}

/** `err` is redacted by its serializer. */
function redactLine({ err, ...line }: Record<string, unknown>): Record<string, unknown> {
  return { ...redactSecrets(line), ...(err !== undefined && { err }) };
}

/**
 * Standard output is for people. The log goes to standard error, formatted on a terminal and as JSON elsewhere.
 */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ fd: 2, sync: true });
  return pretty({ destination: 2, sync: true, ignore: ignoredFields, translateTime: 'SYS:HH:MM:ss' });
}

const ignoredFields = 'pid,hostname,process,host,role,version';

const secretFields = new Set([
  'key',
  'token',
  'authorization',
  'cookie',
  'password',
  'secret',
  'hash',
  'identity_secret',
  'public_token',
  'admin_token',
  'verification_token',
  'encryption_key',
  'credentials',
  'DATABASE_URL',
  'apiKey',
  'api_key',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'MISTRAL_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'REDIS_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
]);
const redacted = '[redacted]';
/** Keys, tokens and secrets that this product generates, anywhere in a text, for example in a URL. */
const ownSecrets =
  /(?:(?<![A-Za-z\d])|(?<=\\[bfnrt]))(?:(?:pk|adm|vs|pub|ids)_[\w-]{12,}|whsec_[\w+/=%-]{12,})/g;
/** Errors of libraries can contain whole requests, which refer to everything else. */
const maxDepth = 6;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Replaces the values of fields named like secrets by `[redacted]`. Runs for every line. Pino's own redaction
 * by paths takes forty times as long as the rest of a line and does not search as deep.
 */
function redactSecrets<Line extends Fields>(fields: Line, depth = 1): Line {
  const changes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const redactedValue = secretFields.has(name) ? redactValue(value) : redactNested(value, depth);
    if (redactedValue !== value) changes.push([name, redactedValue]);
  }
  return changes.length === 0 ? fields : Object.assign({ ...fields }, Object.fromEntries(changes));
}

/** Removes secrets of this product from a serialised line. */
function redactOwnSecrets(line: string): string {
  return line.replace(ownSecrets, redacted);
}

function redactValue(value: unknown): unknown {
  return value === undefined || value === null ? value : redacted;
}

function redactNested(value: unknown, depth: number): unknown {
  if (depth === maxDepth) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => redactNested(one, depth + 1));
  return isFields(value) ? redactSecrets(value, depth + 1) : value;
}

/** Objects with their own `toJSON` are left alone. */
function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** Writes the one line that each message has at its end. */
export function logMessageEnd(log: Pick<Logger, 'info'>, end: MessageEnd): void {
  log.info(end, 'message ended');
}

const THROTTLE_MS = 600_000;
const MAX_KEYS = 1_000;

/** Returns a function that returns true at most once in ten minutes for each key. */
export function createLogThrottle(clock: Clock): (key: string) => boolean {
  const perf = { now: () => clock.now().getTime() };
  const recent = new LRUCache<string, true>({ max: MAX_KEYS, ttl: THROTTLE_MS, ttlResolution: 0, perf });
  return (key) => {
    if (recent.has(key)) return false;
    recent.set(key, true);
    return true;
  };
}
