import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const hookSchema = z.object({ secret_token: z.string() });

/**
 * Serves a Bot API on the port that accepts every call, until `during` is done. Returns the secret that it was told
 * to send with updates.
 */
export async function takeSecret(port: number, during: () => Promise<void>): Promise<string> {
  let secret = '';
  const server = createServer(async (request, response) => {
    const params: unknown = await json(request).catch(() => ({}));
    if (request.url?.endsWith('/setWebhook')) secret = hookSchema.parse(params).secret_token;
    const result = { id: 1, is_bot: true, first_name: 'b', username: 'mybot' };
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ ok: true, result }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await during();
  await new Promise((resolve) => server.close(resolve));
  return secret;
}
