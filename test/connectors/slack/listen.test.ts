import { afterEach, describe, expect, test } from 'vitest';
import { createListener, requireSocketUrl } from '../../../connectors/slack/listener.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { slackFixture } from '../../helpers/platforms/slack/fixture.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';

const peer = await openSlackStandIn();
const { sockets } = peer;
const account = slackAccount({
  credentials: { bot_token: peer.app.botToken, app_token: peer.app.appToken },
  settings: slackSettings({ api_base_url: peer.url }),
});
const pace = { silenceMs: 5_000, patienceMs: 60_000, pauseMs: 1 };
const stops: AbortController[] = [];

/** A running listener; `log` records its actions in order. */
function start(
  changes: { pace?: Partial<typeof pace>; customAccount?: typeof account; accept?: () => Promise<void> } = {},
) {
  const stop = new AbortController();
  stops.push(stop);
  const log: string[] = [];
  let moved = Promise.withResolvers<void>();
  const note = (what: string) => {
    log.push(what);
    moved.resolve();
    moved = Promise.withResolvers();
  };
  const tools: ListenerTools = {
    ...connectorTools({ now: () => new Date(), signal: stop.signal }),
    accept: async (deliveries: readonly Delivery[]) => {
      await changes.accept?.();
      note(`accept ${deliveries.map(({ id }) => id).join(' ')}`);
    },
    keep: async () => note('keep'),
    alive: () => note('alive'),
    cursor: null,
    recall: async () => new Map(),
  };
  const ended = createListener({ ...pace, ...changes.pace })(changes.customAccount ?? account, tools);
  return {
    log,
    ended,
    stop: () => stop.abort(),
    async until(holds: () => boolean) {
      while (!holds()) await moved.promise;
    },
  };
}

afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await sockets.until(() => sockets.connections() === 0);
  sockets.acks.splice(0);
});

describe('socket mode', () => {
  test('an event is stored before it is acknowledged', async () => {
    const storing = Promise.withResolvers<void>();
    const process = start({ accept: () => storing.promise });
    await sockets.until(() => sockets.connections() === 1);
    const told = sockets.tell('events_api', slackFixture('mention'));
    const chatter = sockets.tell('events_api', slackFixture('channel-chatter'));
    sockets.ping();
    await process.until(() => process.log.filter((what) => what === 'alive').length >= 4);
    expect(sockets.acks).toEqual([]);
    storing.resolve();
    await Promise.all([told.acknowledged, chatter.acknowledged]);
    expect(process.log.filter((what) => what !== 'alive')).toEqual([
      'accept T0GARDEN1/C0HELP001/1790000001.000101',
    ]);
    expect(sockets.acks).toEqual([told.envelope_id, chatter.envelope_id]);
    process.stop();
    await expect(process.ended).resolves.toBeUndefined();
  });

  test('an event that cannot be stored is not acknowledged, and Slack sends it again', async () => {
    const failing = start({ accept: () => Promise.reject(new TypeError('no storage')) });
    await sockets.until(() => sockets.connections() === 1);
    sockets.tell('events_api', slackFixture('mention'));
    await expect(failing.ended).rejects.toThrow('no storage');
    expect(sockets.acks).toEqual([]);
    await sockets.until(() => sockets.connections() === 0);
    start();
    await sockets.until(() => sockets.connections() === 1);
    await sockets.tell('events_api', slackFixture('mention'), 1).acknowledged;
  });

  test('actions arrive over the socket too', async () => {
    const process = start();
    await sockets.until(() => sockets.connections() === 1);
    await sockets.tell('interactive', slackFixture('press-person')).acknowledged;
    await sockets.tell('slash_commands', slackFixture('command')).acknowledged;
    expect(process.log.filter((what) => what.startsWith('accept'))).toHaveLength(1);
  });

  test('every frame counts as activity, pings included', async () => {
    const process = start();
    await process.until(() => process.log.includes('alive'));
    process.log.splice(0);
    sockets.ping();
    await process.until(() => process.log.includes('alive'));
  });

  test('a socket that Slack is about to close is replaced before it closes, without losing events', async () => {
    const process = start();
    await sockets.until(() => sockets.connections() === 1);
    sockets.warn();
    await sockets.until(() => sockets.connections() === 2);
    await sockets.tell('events_api', slackFixture('mention')).acknowledged;
    sockets.drop();
    await sockets.until(() => sockets.connections() === 1);
    await sockets.tell('events_api', slackFixture('thread-follow-up')).acknowledged;
    expect(process.log.filter((what) => what.startsWith('accept'))).toHaveLength(2);
  });

  test('a closed or silent socket is reopened', async () => {
    start({ pace: { silenceMs: 60 } });
    await sockets.until(() => sockets.connections() === 1);
    sockets.drop();
    const opened = peer.countOf('apps.connections.open');
    await peer.until('apps.connections.open', opened + 2);
  });

  test('malformed frames are ignored', async () => {
    start();
    await sockets.until(() => sockets.connections() === 1);
    for (const text of ['', '{', '[]', '{"type":"news"}', '{"type":"events_api","envelope_id":7}'])
      sockets.send(text);
    await sockets.tell('events_api', { type: 'event_callback', event: 7 }).acknowledged;
  });
});

describe('socket failures', () => {
  test.each([{ kind: 'limited', retryAfter: 0 }, { kind: 'garbled' }, { kind: 'cut-before' }] as const)(
    '$kind: a new socket is requested',
    async (trouble) => {
      peer.trouble('apps.connections.open', trouble, trouble);
      start();
      await sockets.until(() => sockets.connections() === 1);
    },
  );

  test('a refused token ends the listener with an account error', async () => {
    const customAccount = { ...account, credentials: { ...account.credentials, app_token: 'xapp-other' } };
    await expect(start({ customAccount }).ended).rejects.toMatchObject({
      message: expect.stringContaining('invalid_auth'),
      account: true,
    });
  });

  test('a lasting failure is reported within the patience time', async () => {
    peer.trouble('apps.connections.open', ...Array(3).fill({ kind: 'garbled' }));
    await expect(start({ pace: { patienceMs: -1 } }).ended).rejects.toMatchObject({
      advice: { retry: 'backoff' },
    });
    peer.trouble('apps.connections.open');
  });

  test.each([
    ['wss://wss-primary.slack.com/link/?ticket=1', undefined, true],
    ['ws://wss-primary.slack.com/link', undefined, false],
    ['wss://slack.com.evil.example/link', undefined, false],
    ['ws://10.0.0.1/link', 'https://proxy.example', false],
    ['ws://proxy.example/link', 'https://proxy.example', true],
    ['not an address', undefined, false],
  ])(
    'allows sockets to slack.com and to the host of api_base_url only: %s',
    (address, api_base_url, allowed) => {
      const customAccount = slackAccount({ settings: slackSettings({ api_base_url }) });
      const open = () => requireSocketUrl(address, customAccount);
      if (allowed) expect(open()).toContain('/link');
      else expect(open).toThrow('outside slack.com');
    },
  );
});
