import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createListener } from '../../../connectors/telegram/listener.ts';
import type { Json } from '../../../core/contract/account.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { telegramFixture } from '../../helpers/platforms/telegram/fixture.ts';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';

const peer = await openTelegramStandIn();
const account = telegramAccount({ settings: { enabled: true, mode: 'polling', api_base_url: peer.url } });
const pace = { pollMs: 50_000, graceMs: 10_000, patienceMs: 60_000, pauseMs: 1 };
const question = telegramFixture('private-question');
const voice = telegramFixture('private-voice');
const stops: AbortController[] = [];

/** A running listener; `log` records its actions in order. */
function start(
  changes: {
    cursor?: Json;
    pace?: Partial<typeof pace>;
    customAccount?: typeof account;
    refuse?: Error;
  } = {},
) {
  const stop = new AbortController();
  stops.push(stop);
  const log: string[] = [];
  const kept: Json[] = [];
  let moved = Promise.withResolvers<void>();
  const note = (what: string) => {
    log.push(what);
    moved.resolve();
    moved = Promise.withResolvers();
  };
  const tools: ListenerTools = {
    ...connectorTools({ now: () => new Date(), signal: stop.signal }),
    accept: async (deliveries: readonly Delivery[]) => {
      note(`accept ${deliveries.map(({ id }) => id).join(' ')}`);
      if (changes.refuse) throw changes.refuse;
    },
    keep: async (cursor) => {
      kept.push(cursor);
      note('keep');
    },
    alive: () => note('alive'),
    cursor: changes.cursor ?? null,
    recall: async () => new Map(),
  };
  const ended = createListener({ ...pace, ...changes.pace })(changes.customAccount ?? account, tools);
  return {
    log,
    kept,
    ended,
    stop: () => stop.abort(),
    async until(what: string) {
      while (!log.includes(what)) await moved.promise;
    },
  };
}

const offsets = () =>
  peer.calls.filter(({ method }) => method === 'getUpdates').map(({ params }) => params.offset);

beforeEach(() => {
  peer.calls.splice(0);
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

describe('polling', () => {
  test('updates are stored, then the cursor, and only then the next updates are requested', async () => {
    const process = start();
    await peer.until('getUpdates', 1);
    await peer.tell(question, voice);
    await peer.until('getUpdates', 2);
    const last = voice.update_id;
    expect(process.log).toEqual(['alive', `accept ${question.update_id} ${last}`, 'keep']);
    expect(process.kept).toEqual([{ botId: 7000001, offset: last + 1 }]);
    expect(offsets()).toEqual([0, last + 1]);
    process.stop();
    await process.ended;
  });

  test('an update that cannot be stored is received again', async () => {
    const failing = start({ refuse: new TypeError('no storage') });
    await peer.tell(question);
    await expect(failing.ended).rejects.toThrow('no storage');
    expect(failing.kept).toEqual([]);
    const next = start();
    await next.until(`accept ${question.update_id}`);
  });

  test('a process continues at the stored offset, unless it belongs to another bot', async () => {
    const next = start({ cursor: { botId: 7000001, offset: 300_000 } });
    await peer.until('getUpdates', 1);
    next.stop();
    await next.ended;
    const other = start({ cursor: { botId: 8, offset: 400_000 } });
    await peer.until('getUpdates', 2);
    expect(offsets()).toEqual([300_000, 0]);
    other.stop();
    await other.ended;
  });

  test('activity is reported after each poll, also after an empty one', async () => {
    const process = start({ pace: { pollMs: 0 } });
    await process.until('alive');
    process.stop();
    await process.ended;
    expect(new Set(process.log)).toEqual(new Set(['alive']));
  });

  test('a stop takes effect at once and causes no error', async () => {
    const process = start();
    await peer.until('getUpdates', 1);
    process.stop();
    await expect(process.ended).resolves.toBeUndefined();
  });
});

describe('failures', () => {
  test('the listener waits while another process polls', async () => {
    const first = start();
    await peer.until('getUpdates', 1);
    const second = start();
    await peer.until('getUpdates', 3);
    first.stop();
    await first.ended;
    await peer.tell(question);
    await second.until(`accept ${question.update_id}`);
  });

  test('a lasting conflict is reported with Telegram’s message', async () => {
    const impatient = start({ pace: { patienceMs: -1 } });
    await peer.until('getUpdates', 1);
    start();
    await expect(impatient.ended).rejects.toMatchObject({
      message: expect.stringContaining('terminated by other getUpdates request'),
      advice: { retry: 'backoff' },
    });
  });

  test('a poll without a response is given up and repeated', async () => {
    peer.trouble('getUpdates', { kind: 'silent' });
    const process = start({ pace: { pollMs: 0, graceMs: 30 } });
    await process.until('alive');
    expect(offsets().length).toBeGreaterThan(1);
  });

  test.each([
    'cut-before',
    'cut-after',
    'out-of-order',
    'garbled',
    'intercepted',
    'forbidden-on-the-way',
  ] as const)('%s: the poll is repeated', async (kind) => {
    peer.trouble('getUpdates', { kind }, { kind });
    const process = start({ pace: { pollMs: 0 } });
    await process.until('alive');
    expect(offsets().length).toBeGreaterThan(2);
  });

  test('a revoked token ends the listener with an account error', async () => {
    const customAccount = { ...account, credentials: { bot_token: '7000001:revoked' } };
    await expect(start({ customAccount }).ended).rejects.toMatchObject({
      message: 'Unauthorized',
      account: true,
    });
  });
});

describe('a webhook', () => {
  const hook = 'https://elsewhere.example/hook';
  const set = () =>
    fetch(`${peer.url}/bot${peer.token}/setWebhook`, { method: 'POST', body: JSON.stringify({ url: hook }) });

  test('is deleted if the operator chose polling', async () => {
    await set();
    const process = start();
    await peer.until('getUpdates', 1);
    expect(peer.hook()).toBeNull();
    process.stop();
    await process.ended;
  });

  test('is kept otherwise, and the conflict is reported', async () => {
    await set();
    const customAccount = telegramAccount({
      settings: { enabled: true, api_base_url: peer.url },
      webhookUrl: null,
    });
    await expect(start({ customAccount }).ended).rejects.toMatchObject({
      message: expect.stringContaining('webhook is active'),
    });
    expect(peer.hook()).toMatchObject({ url: hook });
  });
});
