import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

interface Place {
  readonly host: string;
  readonly port: number;
}

/** So many new connections are taken in one turn of the event loop. */
const ears = 8;

/**
 * Listens on one port with several sockets. The event loop takes a single new connection from each of them in a turn,
 * and with a thousand streams open its turns take 50 ms: by one socket, newcomers would wait at the door for seconds.
 * Returns the address. One socket it is where the system or Node does not let them share a port.
 */
export async function listenWidely(app: FastifyInstance, place: Place): Promise<string> {
  if (process.platform !== 'linux') return app.listen(place);
  if (place.port !== 0) await expectFree(place);
  const shared = { ...place, reusePort: true };
  const others = Array.from({ length: ears - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  );
  app.addHook('preClose', async () => {
    for (const other of others) other.close();
  });
  const address = await app.listen(shared);
  const port = Number(new URL(address).port);
  await Promise.allSettled(others.map((other) => once(other.listen({ ...shared, port }), 'listening')));
  return address;
}

/** A shared port would be shared with another Parley too. Throws what listening on a port that is taken throws. */
async function expectFree(place: Place): Promise<void> {
  const probe = createServer().listen(place);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
