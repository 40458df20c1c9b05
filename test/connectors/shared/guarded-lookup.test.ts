import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createListener as listenToDiscord } from '../../../connectors/discord/listener.ts';
import { guardedLookup } from '../../../connectors/shared/http.ts';
import { createListener as listenToSlack } from '../../../connectors/slack/listener.ts';
import { openChannelFetch } from '../../../core/channels/connector-calls.ts';
import type { Tools } from '../../../core/contract/account.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { accountOn } from '../../helpers/platforms/discord/account.ts';
import { openDiscordStandIn } from '../../helpers/platforms/discord/open-stand-in.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';

/** A private server that counts every connection, before any HTTP. */
const privateServer = createServer();
let connections = 0;
privateServer.on('connection', () => {
  connections += 1;
});
const sockets = new WebSocketServer({ server: privateServer });
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => privateServer.listen(0, '127.0.0.1', resolve));
  const address = privateServer.address();
  if (typeof address === 'object' && address !== null) port = address.port;
});
afterAll(() => {
  for (const socket of sockets.clients) socket.terminate();
  privateServer.close();
});

/** An attacker's name server: returns one answer after the other, and repeats the last. */
function resolverOf(answers: readonly string[], allowPrivate = false): Tools['resolve'] {
  const left = [...answers];
  const guard = openChannelFetch({
    allowPrivate,
    resolveHost: async () => [{ address: (left.length > 1 ? left.shift() : left[0]) ?? '', family: 4 }],
  });
  return guard.resolve;
}

const socket = { peer: 'The platform', url: 'wss://rebind.example/link' };
const lookedUp = async (resolve: Tools['resolve']) => {
  const lookup = await guardedLookup(socket, { resolve });
  return new Promise((done, failed) => {
    lookup('rebind.example', { all: true }, (error, found) => (error ? failed(error) : done(found)));
  });
};

test('connects to the checked address even if the name is rebound to this machine afterwards', async () => {
  const found = await lookedUp(resolverOf(['93.184.216.34', '127.0.0.1']));
  expect(found).toEqual([{ address: '93.184.216.34', family: 4 }]);
});

test.each(['127.0.0.1', '10.0.0.8', '169.254.169.254', '::1'])(
  'refuses a name that resolves to %s',
  async (address) => {
    await expect(lookedUp(resolverOf([address]))).rejects.toThrow(
      `The platform cannot be reached: rebind.example (${address}) is not a public address.`,
    );
  },
);

test.each(['ws://127.0.0.1:9/', 'ws://[::1]:9/'])(
  'refuses a private address instead of a name, %s',
  async (url) => {
    const { resolve } = openChannelFetch({ allowPrivate: false });
    await expect(guardedLookup({ peer: 'It', url }, { resolve })).rejects.toThrow('not a public address');
  },
);

test('resolves to the private address if private networks are allowed', async () => {
  expect(await lookedUp(resolverOf(['127.0.0.1'], true))).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

/** Listens until it fails, with a platform that returns a socket on a host that resolves to this machine. */
function tools(resolve: Tools['resolve'], answer: object, signal: AbortSignal): ListenerTools {
  return {
    ...connectorTools({ resolve, signal, now: () => new Date(), fetch: async () => Response.json(answer) }),
    accept: async () => {},
    keep: async () => {},
    alive: () => {},
    cursor: null,
    recall: async () => new Map(),
  };
}

const listeners = {
  slack: (resolve: Tools['resolve'], signal: AbortSignal) => {
    const account = slackAccount({
      credentials: { bot_token: 'xoxb-1', app_token: 'xapp-1' },
      settings: slackSettings({ api_base_url: `https://rebind.example:${port}/api` }),
    });
    const answer = { ok: true, url: `ws://rebind.example:${port}/link/` };
    const pace = { silenceMs: 5_000, patienceMs: 0, pauseMs: 1 };
    return listenToSlack(pace)(account, tools(resolve, answer, signal));
  },
  discord: async (resolve: Tools['resolve'], signal: AbortSignal) => {
    const { world } = await openDiscordStandIn();
    const account = accountOn({ world, url: `https://rebind.example:${port}/api` });
    const answer = { url: `ws://rebind.example:${port}/`, shards: 1 };
    const never = { helloMs: 5_000, readyMs: 5_000, ackMs: 5_000, identifyMs: 1, pauseMs: 1 };
    const pace = { ...never, invalidMs: [1, 1] as const, longestPauseMs: 1, patienceMs: 0 };
    return listenToDiscord(pace)(account, tools(resolve, answer, signal));
  },
};

test.each(['slack', 'discord'] as const)(
  'the %s socket opens no connection to a host that resolves to this machine',
  async (channel) => {
    const before = connections;
    const { signal } = new AbortController();
    await expect(listeners[channel](resolverOf(['127.0.0.1']), signal)).rejects.toThrow(
      'rebind.example (127.0.0.1) is not a public address',
    );
    expect(connections).toBe(before);
  },
);

test.each(['slack', 'discord'] as const)(
  'the %s socket reaches that host if private networks are allowed',
  async (channel) => {
    const before = connections;
    const stop = new AbortController();
    const ended = listeners[channel](resolverOf(['127.0.0.1'], true), stop.signal).catch(() => {});
    await expect.poll(() => connections).toBeGreaterThan(before);
    stop.abort();
    for (const client of sockets.clients) client.terminate();
    await ended;
  },
);
