import { createServer, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { buildAssets } from '../../../server/widget/bundle.ts';
import { computeAccent } from '../../../server/widget/colours.ts';
import { chooseTexts } from '../../../server/widget/texts/choose-texts.ts';

const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/** The widget's own scripts, and a server behind them with scripted answers, whose cost is not measured. */
export async function openPacedHub() {
  const assets = await buildAssets();
  const asked: ((answer: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://hub');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const asset = Object.values(assets).find(({ name }) => pathname.endsWith(name));
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else if (pathname === '/widget.js' || asset !== undefined) {
      response.setHeader('content-type', 'text/javascript').end((asset ?? assets.loader).body.plain);
    } else if (pathname.endsWith('/config')) response.end(JSON.stringify(lookOf(assets.chat.name)));
    else if (pathname.endsWith('/session')) response.end('{"session":"vs_bench"}');
    else if (pathname.endsWith('/messages')) response.end(nothing);
    else if (pathname.endsWith('/ask')) asked.shift()?.(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    assets,
    address: `http://127.0.0.1:${port}`,
    /** The response to the next question. */
    nextQuestion: () => new Promise<ServerResponse>((resolve) => void asked.push(resolve)),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const nothing = JSON.stringify({
  messages: [],
  status: 'open',
  agent: null,
  unread: 0,
  answering: false,
  pagination: { next_cursor: null },
});

function lookOf(script: string) {
  const { texts, language, direction } = chooseTexts(['en']);
  return {
    title: 'Bench',
    greeting: texts.greeting,
    accent: computeAccent('#2f6b4f'),
    logo_url: null,
    suggestions: [],
    choice: false,
    attachments: null,
    theme: 'light',
    position: 'right',
    language,
    direction,
    texts,
    script: `/widget/assets/${script}`,
  };
}
