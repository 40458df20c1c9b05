import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server's reply: a refusal's text with its status, or the message of a completion. */
export type Reply =
  | { readonly refuses: string; readonly status?: number }
  | Readonly<Record<string, unknown>>;

/** A server with OpenAI's chat completions, whose replies a test decides by the request. */
export async function startStrictServer(reply: (body: Asked['body']) => Reply) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += String(piece);
    const body: Asked['body'] = JSON.parse(text);
    const { stream } = body;
    asked.push({ url: request.url ?? '', headers: request.headers, body });
    const said = reply(body);
    if ('refuses' in said) {
      response.writeHead(Number(said.status ?? 400), { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: said.refuses } }));
    } else if (stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ choices: [{ delta: said }] })}\n\ndata: [DONE]\n\n`);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: said }] }));
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return { asked, url: `http://127.0.0.1:${port}` };
}
