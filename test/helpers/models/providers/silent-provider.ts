import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'silent', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** The check at the start sends this to each model. */
const MODEL_CHECK = 'Reply with the word OK.';

/** A provider that sends a little, or nothing, and then keeps its connections open. */
export async function startSilentProvider(says: readonly string[] = []) {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    response.on('close', () => left.resolve());
    const isCheck = (await text(request)).includes(MODEL_CHECK);
    if (says.length > 0) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const content of says) response.write(chunk(content));
    }
    if (!isCheck) asked.resolve();
  });
  const port = await listen(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Resolves when a request other than the model check arrived. */
    asked: asked.promise,
    /** Resolves when a connection was closed from the other side. */
    left: left.promise,
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}
