import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';

const patienceMs = 10_000;

/**
 * Reads and drops what is left of a request, for ten seconds at most. Many callers read no answer before they have
 * sent everything: to answer and close the connection earlier would take the answer from them.
 */
export async function dropBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, patienceMs);
    finished(request, () => {
      clearTimeout(patience);
      resolve();
    });
    request.resume();
  });
}
