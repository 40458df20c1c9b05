import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createListener as listenToDiscord } from '../../../connectors/discord/listener.ts';
import { guardedLookup } from '../../../connectors/shared/http.ts';
import { createListener as listenToSlack } from '../../../connectors/slack/listener.ts';
import { openChannelFetch } from '../../../core/channels/channel-fetch.ts';
import type { Tools } from '../../../core/contract/account.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { accountOn } from '../../helpers/platforms/discord-account.ts';
import { openDiscordStandIn } from '../../helpers/platforms/open-discord-stand-in.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack-account.ts';

/** What listens inside: it counts every connection, before any word of HTTP. */
const inside = createServer();
let connections = 0;
inside.on('connection', () => {
  connections += 1;
});
const sockets = new WebSocketServer({ server: inside });
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const address = inside.address();
  if (typeof address === 'object' && address !== null) port = address.port;
});
afterAll(() => {
  for (const socket of sockets.clients) socket.terminate();
  inside.close();
});

/** A name server of the attacker: it gives one answer after the other, the last one for ever. */
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

test('a name that is rebound to this machine after the check leads to the address that was checked', async () => {
  const found = await lookedUp(resolverOf(['93.184.216.34', '127.0.0.1']));
  expect(found).toEqual([{ address: '93.184.216.34', family: 4 }]);
});

test.each(['127.0.0.1', '10.0.0.8', '169.254.169.254', '::1'])(
  'a name that resolves to %s is refused',
  async (address) => {
    await expect(lookedUp(resolverOf([address]))).rejects.toThrow(
      `The platform cannot be reached: rebind.example (${address}) is not a public address.`,
    );
  },
);

test.each(['ws://127.0.0.1:9/', 'ws://[::1]:9/'])(
  'an inner address in place of a name, %s, is refused',
  async (url) => {
    const { resolve } = openChannelFetch({ allowPrivate: false });
    await expect(guardedLookup({ peer: 'It', url }, { resolve })).rejects.toThrow('not a public address');
  },
);

test('where private networks are allowed the address inside is found', async () => {
  expect(await lookedUp(resolverOf(['127.0.0.1'], true))).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

/** Listens until it gives up, with a platform that tells of a socket at a host that resolves to this machine. */
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
  'the socket of %s opens no connection to a host that resolves to this machine',
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
  'the socket of %s reaches that host where private networks are allowed',
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
