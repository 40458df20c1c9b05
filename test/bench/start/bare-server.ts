import Fastify from 'fastify';

/** The server that does nothing: the floor of a start. */
const app = Fastify();
app.get('/', async () => ({ ok: true }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listens on ${address}\n`);
process.once('SIGTERM', () => void app.close());
