import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

const secretFields = [
  'key',
  'token',
  'authorization',
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
];

const redactedPaths = [
  ...secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  'req.headers.authorization',
  'req.headers.cookie',
];

/** Structured logs: one JSON object a line, secrets replaced by `[redacted]`, times in ISO 8601. */
export function createLog(level: string, stream: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    stream,
  );
}

/** Standard output is for people; the log goes to standard error, readable on a terminal and as JSON elsewhere. */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ fd: 2, sync: true });
  return pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
}
