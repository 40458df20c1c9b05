import { execFileSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnSharedSockets } from '../../server/main.ts';

const place = { host: '127.0.0.1', port: 0 };

async function open() {
  const app = fastify();
  app.get('/', async () => 'hello');
  const address = await listenOnSharedSockets(app, place);
  onTestFinished(() => app.close());
  return { app, address };
}

const count = 80;
/** A program that opens this number of connections to a port and ends when all are open. */
const caller = `
  let open = 0;
  for (let index = 0; index < ${count}; index += 1) {
    require('node:net').connect(process.argv[1], '127.0.0.1', () => (open += 1) === ${count} && process.exit());
  }
`;

test.runIf(process.platform === 'linux')(
  'accepts several new connections per turn of the event loop, however long it takes',
  async () => {
    const { app, address } = await open();
    let taken = 0;
    app.server.on('connection', () => (taken += 1));
    // All connections are pending before the next turn of the loop.
    execFileSync(process.execPath, ['-e', caller, new URL(address).port]);
    let turns = 0;
    for (; taken < count; turns += 1) await nextTurn();
    expect(turns).toBeLessThan(count / 2);
  },
);

test('answers a request on any of the sockets', async () => {
  const { address } = await open();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () =>
      (await fetch(address, { headers: { connection: 'close' } })).text(),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(['hello']));
});

test('does not share a port with another server of the same kind', async () => {
  const { address } = await open();
  const other = fastify();
  onTestFinished(() => other.close());
  const second = listenOnSharedSockets(other, { ...place, port: Number(new URL(address).port) });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('frees the port when the server closes', async () => {
  const { app, address } = await open();
  await (await fetch(address)).text();
  await app.close();
  const again = fastify();
  onTestFinished(() => again.close());
  const next = listenOnSharedSockets(again, { ...place, port: Number(new URL(address).port) });
  await expect(next).resolves.toBe(address);
});
