import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { redactOwnSecrets, redactSecrets } from './redact-secrets.ts';

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
