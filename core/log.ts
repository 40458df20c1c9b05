import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { redactSecrets } from './redact-secrets.ts';

export type { Logger } from 'pino';

/** Structured logs: one JSON object a line, secrets replaced by `[redacted]`, times in ISO 8601. */
export function createLog(level: string, stream: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (line) => redactSecrets(line) },
      serializers: { err: (error: Error) => redactSecrets(pino.stdSerializers.errWithCause(error)) },
    },
    stream,
  );
}

/** Standard output is for people; the log goes to standard error, readable on a terminal and as JSON elsewhere. */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ fd: 2, sync: true });
  return pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
}
