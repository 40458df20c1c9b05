import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll } from 'vitest';
import { z } from 'zod';

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const headersSchema = z.record(z.string(), z.string());
const messageSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** A receiver on a free port, as an integrator builds one; stopped after the test file. */
export async function openWebhookReceiver() {
  const received: Received[] = [];
  let arrived = Promise.withResolvers<void>();
  const receiver = {
    url: '',
    received,
    /** Answers a delivery; with 204 unless a test changes it. */
    answer: (response: ServerResponse): void => void response.writeHead(204).end(),
    /** Resolves when it has received this many in all. */
    async until(count: number): Promise<readonly Received[]> {
      while (received.length < count) await arrived.promise;
      return received;
    },
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: headersSchema.parse(request.headers), body: await text(request) });
    receiver.answer(response);
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  receiver.url = `http://127.0.0.1:${address.port}/hooks`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** Returns the message, with its signature verified by the reference library, now. Throws if the signature is wrong. */
export function verifiedMessage(secret: string, { headers, body }: Received) {
  return messageSchema.parse(new Webhook(secret).verify(body, headers));
}

/** The message, whatever its signature and its age. */
export function messageOf({ body }: Received) {
  return messageSchema.parse(JSON.parse(body));
}
