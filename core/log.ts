import { LRUCache } from 'lru-cache';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Clock } from './clock.ts';

export type { Logger } from 'pino';

/**
 * Structured logs: one JSON object a line, secrets replaced by `[redacted]`, times in ISO 8601. What a child is made with is
 * not looked at: that is the id of a request, and nothing else.
 */
export function createLog(level: string, stream: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: { streamWrite: redactOwnSecrets },
      formatters: { level: (label) => ({ level: label }), log: redactLine },
      serializers: { err: (err: Error) => redactSecrets({ err: pino.stdSerializers.errWithCause(err) }).err },
    },
    stream,
  );
}

/** What `err` says is looked at when it is written down as an error. */
function redactLine({ err, ...line }: Record<string, unknown>): Record<string, unknown> {
  return { ...redactSecrets(line), ...(err !== undefined && { err }) };
}

/** Standard output is for people; the log goes to standard error, readable on a terminal and as JSON elsewhere. */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ fd: 2, sync: true });
  return pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
}

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
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'MISTRAL_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'REDIS_URL',
]);
const redacted = '[redacted]';
/** Keys, tokens and secrets that this product makes, wherever they stand in a text: in an address, for example. */
const ownSecrets =
  /(?:(?<![A-Za-z\d])|(?<=\\[bfnrt]))(?:(?:pk|adm|vs|pub|ids)_[\w-]{12,}|whsec_[\w+/=%-]{12,})/g;
/** Errors of others hold whole requests, which hold all else. */
const maxDepth = 6;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The same with `[redacted]` for what fields hold that are named like secrets. Each line of the log passes it: the logger's
 * own way, with paths, takes forty times as long as all else of a line, and does not look as deep.
 */
function redactSecrets<Told extends Fields>(fields: Told, depth = 1): Told {
  const found: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const told = secretFields.has(name) ? redactValue(value) : redactNested(value, depth);
    if (told !== value) found.push([name, told]);
  }
  return found.length === 0 ? fields : Object.assign({ ...fields }, Object.fromEntries(found));
}

/** A line of the log, written out as JSON, without the secrets that this product makes. */
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

/** What says itself how it is written down is more than its fields. */
function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

const throttleMs = 600_000;
const maxMessages = 1_000;

/** Tells whether something was last said at least ten minutes ago, and takes it as said. */
export function createLogThrottle(clock: Clock): (what: string) => boolean {
  const perf = { now: () => clock.now().getTime() };
  const said = new LRUCache<string, true>({ max: maxMessages, ttl: throttleMs, ttlResolution: 0, perf });
  return (what) => {
    if (said.has(what)) return false;
    said.set(what, true);
    return true;
  };
}
