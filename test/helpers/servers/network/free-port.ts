import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The ports below those that systems assign at random, which may be assigned before they are used here, and above
 * those that `fetch` refuses (10080 is the last of them).
 */
const ports = { from: 10_100, to: 32_000 } as const;

/** A port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
