import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

interface Asked {
  readonly method: string;
  readonly path: string;
  /** Of JSON; null where there is none. */
  readonly body: unknown;
}

/** A server on a free port that answers calls with JSON, in the place of a platform. */
export async function servePlatform(
  answer: (asked: Asked, response: ServerResponse) => unknown,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body: unknown = await json(request).catch(() => null);
    const result = answer({ method: request.method ?? '', path: request.url ?? '', body }, response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
