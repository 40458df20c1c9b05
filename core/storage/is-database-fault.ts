/**
 * SQLSTATEs of a server that is out of reach, without room on its disk or for another session, a standby as yet, shutting
 * down or starting, or that gave a statement or a session up.
 */
const states = /^(?:08\w{3}|25006|25P03|53\w{3}|57014|57P0[1-5]|58030)$/;

/** Of the operating system. */
const systemCodes: readonly string[] = [
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];

/** What the driver and its pool say without a code. */
const messages =
  /^(?:Connection terminated|timeout ex(?:ceeded|pired)|Query read timeout|Client (?:has encountered a connection error|was closed))/;

/** Whether a statement failed because the database was out of reach or out of order, and not for what it said. */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return states.test(code) || systemCodes.includes(code) || (code === '' && messages.test(error.message));
}
