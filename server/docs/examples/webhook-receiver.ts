import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isFromParley } from './verify-signature.ts';

interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Receiver {
  /** The secret of the webhook, `whsec_…`. */
  readonly secret: string;
  /** Does the work. It runs after the answer: Parley waits ten seconds at most. */
  readonly onEvent: (event: Event) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** More ids than arrive within the day in which Parley retries a delivery. Several processes keep them in a database. */
const MAX_SEEN = 100_000;

/**
 * Receives the events of a workspace:
 *
 *     SECRET=whsec_… PORT=3000 node webhook-receiver.ts
 *
 * Each event is handled once: a delivery whose answer was lost comes again under the same id.
 */
export function createReceiver({ secret, onEvent, onError }: Receiver): Server {
  const seen = new Set<string>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rawBody = await text(request);
    const { headers } = request;
    if (!isFromParley(secret, { headers, rawBody, now: new Date() })) {
      response.writeHead(401).end();
      return;
    }
    const id = String(headers['webhook-id']);
    const isNew = !seen.has(id);
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.add(id);
    response.writeHead(204).end();
    if (isNew) await onEvent(JSON.parse(rawBody));
  };
  return createServer((request, response) => {
    receive(request, response).catch(onError);
  });
}

if (import.meta.main) {
  const { SECRET = '', PORT = '3000' } = process.env;
  const receiver = createReceiver({
    secret: SECRET,
    onEvent: async ({ type, data }) => console.log(type, data),
    onError: console.error,
  });
  receiver.listen(Number(PORT), () => console.log(`Waiting for events at http://127.0.0.1:${PORT}`));
}
