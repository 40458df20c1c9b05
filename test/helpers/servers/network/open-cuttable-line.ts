import { connect, createServer, type Socket } from 'node:net';
import { z } from 'zod';

/**
 * A connection to a server that can be cut: all data then is lost, and new connections work. It can also be lost
 * silently, as if the server's machine died: clients are not told.
 */
export async function openCuttableLine(to: string) {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const farEnds = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      // The other end tells a client that is cut off.
      socket.on('error', () => near.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    farEnds.add(far);
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => {
      farEnds.delete(far);
      if (!lost.has(far)) near.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const lose = () => {
    for (const far of farEnds) {
      lost.add(far);
      far.destroy();
    }
  };
  const listening = z.object({ port: z.number() }).parse(server.address());
  return {
    address: `http://127.0.0.1:${listening.port}`,
    cut,
    lose,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        cut();
      }),
  };
}
