import { createServer, request } from 'node:http';

/**
 * The least that can stand between a visitor and a language model, in a process of its own: hands on what comes, both
 * ways. Its arguments are its port and the address of the model.
 */
const [port, address = ''] = process.argv.slice(2);
const server = createServer((asked, response) => {
  const upstream = request(new URL(asked.url ?? '', address), { method: 'POST', headers: asked.headers });
  upstream.on('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
    // The visitor left: that is how it is meant to end.
    answered.on('error', () => response.destroy());
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  asked.pipe(upstream);
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
process.once('SIGTERM', () => process.exit(0));
