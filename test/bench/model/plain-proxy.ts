import { createServer, request } from 'node:http';

/**
 * This program is a minimal proxy between a visitor and a language model: it passes on the bytes of both sides. Its
 * arguments are its port and the address of the model.
 */
const [port, address = ''] = process.argv.slice(2);
const server = createServer((asked, response) => {
  const upstream = request(new URL(asked.url ?? '', address), { method: 'POST', headers: asked.headers });
  upstream.on('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
    // The visitor has left, which is the intended end.
    answered.on('error', () => response.destroy());
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  asked.pipe(upstream);
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
process.once('SIGTERM', () => process.exit(0));
