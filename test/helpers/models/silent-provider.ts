import { createServer, type Server } from 'node:http';
import { afterAll } from 'vitest';

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'silent', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** A provider that says a little, or nothing, and then keeps its connections open. */
export async function startSilentProvider(says: readonly string[] = []) {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.on('close', () => left.resolve());
    if (says.length > 0) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text of says) response.write(chunk(text));
    }
    asked.resolve();
  });
  const port = await listen(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Resolves when somebody asked. */
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
