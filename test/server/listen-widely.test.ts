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
/** A program that opens that many connections to a port, and ends when the system has all of them. */
const caller = `
  let open = 0;
  for (let index = 0; index < ${count}; index += 1) {
    require('node:net').connect(process.argv[1], '127.0.0.1', () => (open += 1) === ${count} && process.exit());
  }
`;

test.runIf(process.platform === 'linux')(
  'newcomers are let in several in a turn of the event loop, however long it takes',
  async () => {
    const { app, address } = await open();
    let taken = 0;
    app.server.on('connection', () => (taken += 1));
    // All are at the door before the loop turns again.
    execFileSync(process.execPath, ['-e', caller, new URL(address).port]);
    let turns = 0;
    for (; taken < count; turns += 1) await nextTurn();
    expect(turns).toBeLessThan(count / 2);
  },
);

test('a request is answered whichever socket lets it in', async () => {
  const { address } = await open();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () =>
      (await fetch(address, { headers: { connection: 'close' } })).text(),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(['hello']));
});

test('a port is not shared with another server of the same kind', async () => {
  const { address } = await open();
  const other = fastify();
  onTestFinished(() => other.close());
  const second = listenOnSharedSockets(other, { ...place, port: Number(new URL(address).port) });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a server that is closed leaves the port free', async () => {
  const { app, address } = await open();
  await (await fetch(address)).text();
  await app.close();
  const again = fastify();
  onTestFinished(() => again.close());
  const next = listenOnSharedSockets(again, { ...place, port: Number(new URL(address).port) });
  await expect(next).resolves.toBe(address);
});
