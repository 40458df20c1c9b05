import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createListener } from '../../../connectors/discord/listener.ts';
import type { Json } from '../../../core/contract/account.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { accountOn } from '../../helpers/platforms/discord/account.ts';
import { openDiscordStandIn } from '../../helpers/platforms/discord/open-stand-in.ts';

const discord = await openDiscordStandIn({ heartbeatMs: 100 });
const { world, gateway } = discord;
let { general } = discord;
const ana = world.newPerson('Ana');
const us = `<@${world.bot.id}>`;
/** Expected events may arrive late on a busy machine; tests of events that never arrive use a shorter timeout. */
const pace = {
  helloMs: 15_000,
  readyMs: 15_000,
  ackMs: 15_000,
  invalidMs: [1, 5] as const,
  identifyMs: 10,
  pauseMs: 5,
  longestPauseMs: 50,
  patienceMs: 20_000,
};
const stops: (() => Promise<void>)[] = [];

interface Changes {
  readonly cursor?: Json;
  readonly pace?: Partial<typeof pace>;
  readonly settings?: Parameters<typeof accountOn>[1];
  readonly token?: string;
  /** Runs before a delivery counts as stored. */
  readonly storing?: (ids: readonly string[]) => Promise<void>;
}

/** A listening process and its stored deliveries; memories outlive it. */
const memory = new Map<string, Json>();

function start(changes: Changes = {}) {
  const stop = new AbortController();
  const stored = new Map<string, Delivery>();
  const log: string[] = [];
  const notices = new Set<string | undefined>();
  let cursor: Json = changes.cursor ?? null;
  const told = connectorTools({ now: () => new Date(), signal: stop.signal });
  const tools: ListenerTools = {
    ...told,
    accept: async (deliveries) => {
      await changes.storing?.(deliveries.map(({ id }) => id));
      for (const delivery of deliveries) {
        log.push(`accept ${delivery.id}`);
        stored.set(delivery.id, delivery);
        for (const { key, value } of delivery.remember ?? []) memory.set(key, value);
      }
    },
    keep: async (next) => {
      cursor = JSON.parse(JSON.stringify(next));
      log.push('keep');
    },
    alive: (notice) => {
      log.push('alive');
      notices.add(notice);
    },
    cursor,
    recall: async (keys) => new Map([...memory].filter(([key]) => keys.includes(key))),
  };
  const account = accountOn(discord, changes.settings);
  const credentials = { ...account.credentials, ...(changes.token && { bot_token: changes.token }) };
  const ended = createListener({ ...pace, ...changes.pace })({ ...account, credentials }, tools);
  const end = async () => {
    stop.abort();
    await ended.catch(() => {});
  };
  stops.push(end);
  return {
    log,
    notices,
    stored,
    ended,
    end,
    warned: told.warned,
    cursor: () => cursor,
    has: (id: string) =>
      vi.waitFor(() => expect([...stored.keys()]).toContain(id), { timeout: 15_000, interval: 5 }),
  };
}

/** Ignores a heartbeat that the previous process may still be sending. */
const ready = async () => {
  await gateway.until('identify', 1);
  await gateway.until('heartbeat', gateway.count('heartbeat') + 1);
};
const ask = (text = 'open?', room = general) => `message:${discord.say(room, ana, `${us} ${text}`).id}`;
const said = (id: string) => discord.calls.filter(({ path }) => path.includes(id));

beforeEach(() => {
  // Messages of other tests must not count as missed in this one.
  world.rooms.clear();
  general = world.newRoom(0);
  gateway.heard.splice(0);
  discord.calls.splice(0);
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  gateway.isDead = false;
  gateway.forget();
});

describe('stored events', () => {
  test('include messages to the bot, with where to answer, but not messages between people', async () => {
    const process = start();
    await ready();
    discord.say(general, ana, 'hello everyone');
    const question = discord.say(general, ana, `${us} open?`);
    await process.has(`message:${question.id}`);
    expect([...process.stored.values()]).toMatchObject([
      { id: `message:${question.id}`, lane: question.id, tenant: world.guildId },
    ]);
  });

  test('advance the cursor and the acknowledged number only after they are stored', async () => {
    const gate = Promise.withResolvers<void>();
    const process = start({ storing: () => gate.promise });
    await ready();
    const id = ask();
    await gateway.until('heartbeat', gateway.count('heartbeat') + 2);
    const acknowledged = gateway.heard.filter(({ op }) => op === 'heartbeat').at(-1)?.d;
    expect(acknowledged).toBe(2);
    expect(JSON.stringify(process.cursor())).not.toContain('"seq":3');
    gate.resolve();
    await process.has(id);
    await vi.waitFor(() => expect(process.cursor()).toMatchObject({ session: { seq: 3 } }), {
      timeout: 15_000,
    });
  });

  test('that cannot be stored are received again by the next process', async () => {
    const failing = start({
      storing: async () => {
        throw new TypeError('no storage');
      },
    });
    await ready();
    const id = ask();
    await expect(failing.ended).rejects.toThrow('no storage');
    const next = start({ cursor: failing.cursor() });
    await next.has(id);
    expect(gateway.count('resume')).toBe(1);
  });

  test('include messages without a mention in joined threads, but not in other threads', async () => {
    discord.allowContent();
    const process = start();
    await ready();
    const question = discord.say(general, ana, `${us} open?`);
    await process.has(`message:${question.id}`);
    const [ours, other] = [world.newRoom(11, { id: question.id, parent: general.id }), world.newRoom(11)];
    discord.say(other, ana, 'not for us');
    const followUp = discord.say(ours, ana, 'and on Sunday?');
    await process.has(`message:${followUp.id}`);
    expect(process.stored.get(`message:${followUp.id}`)?.lane).toBe(question.id);
    expect(process.stored.size).toBe(2);
    world.application.flags = 0;
  });

  test('of edits and deletions have the lane of their message', async () => {
    const process = start();
    await ready();
    const question = discord.say(general, ana, `${us} open?`);
    discord.edit(general, question, `${us} open on Sunday?`);
    discord.remove(general, question);
    await process.has(`deletion:${question.id}`);
    expect([...process.stored.values()].map(({ lane }) => lane)).toEqual(Array(3).fill(question.id));
    discord.remove(general, discord.say(general, ana, 'not for us'));
    await process.has(ask());
    expect(process.stored.size).toBe(4);
  });

  test('of edits and deletions have that lane even if they arrive in the same batch as the message', async () => {
    const gate = Promise.withResolvers<void>();
    const process = start({ storing: () => gate.promise });
    await ready();
    ask('held while the others come');
    const [again, without] = [
      discord.say(general, ana, `${us} open?`),
      discord.say(general, ana, `${us} when?`),
    ];
    discord.edit(general, again, `${us} open on Sunday?`);
    discord.edit(general, without, 'when on Sunday?');
    discord.remove(general, again);
    discord.remove(general, without);
    await gateway.until('heartbeat', gateway.count('heartbeat') + 2);
    gate.resolve();
    await process.has(`deletion:${without.id}`);
    const told = ({ id }: { id: string }) =>
      [...process.stored.values()].filter(({ lane }) => lane === id).map(({ id }) => id.split(':')[0]);
    expect([told(again), told(without)]).toEqual(Array(2).fill(['message', 'edit', 'deletion']));
  });
});

describe('commands', () => {
  test('are stored, then acknowledged, without waiting for other events', async () => {
    const process = start();
    await ready();
    const { id, state } = await discord.command(general, ana, 'ask', 'open?');
    await vi.waitFor(() => expect(state()).toBe('deferred'), { timeout: 15_000 });
    expect(process.log.filter((line) => line !== 'alive' && line !== 'keep')).toEqual([
      `accept interaction:${id}`,
    ]);
    expect(said(id)).toMatchObject([{ method: 'POST', body: { type: 5 } }]);
  });

  test('are acknowledged before the cursor is saved', async () => {
    const order: string[] = [];
    const process = start({ storing: async () => void order.push(...process.log.splice(0)) });
    await ready();
    process.log.splice(0);
    order.splice(0);
    const { state } = await discord.command(general, ana, 'ask', 'open?');
    await vi.waitFor(() => expect(state()).toBe('deferred'), { timeout: 15_000 });
    expect(order.filter((line) => line === 'keep')).toEqual([]);
  });

  test.each(['cut-before', 'cut-after', 'garbled', 'silent'] as const)(
    'are acknowledged although the first attempt is %s',
    async (kind) => {
      const process = start();
      await ready();
      discord.trouble(/callback/, { kind });
      const { id, state } = await discord.command(general, ana, 'ask', 'open?');
      await vi.waitFor(() => expect(said(id)).toHaveLength(2), { timeout: 15_000 });
      await vi.waitFor(() => expect(state()).toBe('deferred'), { timeout: 15_000 });
      await process.has(ask());
      expect(process.warned).toEqual([]);
    },
  );

  test('a button press is acknowledged without changing its message', async () => {
    start();
    await ready();
    const message = discord.say(general, world.bot, 'An answer');
    const { id, state } = await discord.press(general, ana, {
      id: `parley:up:${general.id}:${ana.id}`,
      message,
    });
    await vi.waitFor(() => expect(state()).toBe('deferred'), { timeout: 15_000 });
    expect(said(id)).toMatchObject([{ body: { type: 6 } }]);
  });

  test('stay stored if Discord refuses the acknowledgement', async () => {
    const process = start();
    await ready();
    discord.trouble(/callback/, {
      kind: 'refused',
      status: 404,
      code: 10_062,
      message: 'Unknown interaction',
    });
    const { id } = await discord.command(general, ana, 'human');
    await process.has(`interaction:${id}`);
    await vi.waitFor(() => expect(process.warned).toHaveLength(1), { timeout: 15_000 });
    await process.has(ask());
  });
});

describe('a lost connection is restored within seconds, without lost or duplicate events', () => {
  /** Sends messages before the trouble, during the outage and afterwards, and expects each once. */
  async function through(trouble: () => void | Promise<void>, changes: Changes = {}) {
    const process = start(changes);
    await ready();
    const ids = [ask('before')];
    await process.has(ids[0] ?? '');
    await trouble();
    ids.push(ask('meanwhile'));
    await process.has(ids[1] ?? '');
    ids.push(ask('afterwards'));
    await process.has(ids[2] ?? '');
    expect([...process.stored.keys()]).toEqual(ids);
    return process;
  }

  test.each([
    ['cut', () => gateway.cut()],
    ['requested by opcode 7', () => gateway.say(7)],
    ['closed with an unspecific code', () => gateway.close(4000)],
    ['resumable after opcode 9', () => gateway.say(9, true)],
  ])('%s: the session is resumed', async (_name, trouble) => {
    await through(trouble);
    expect([gateway.count('identify'), gateway.count('resume')]).toEqual([1, 1]);
  });

  test.each([
    ['not resumable after opcode 9', () => gateway.say(9, false)],
    [
      'cut, with an expired session',
      () => {
        gateway.forget();
        gateway.cut();
      },
    ],
    ['closed as timed out', () => gateway.close(4009)],
  ])('%s: a new session begins, and missed messages are read back', async (_name, trouble) => {
    await through(trouble);
    expect(gateway.count('identify')).toBe(2);
    expect(discord.calls.map(({ path }) => path).join()).toContain(`/channels/${general.id}/messages?after=`);
  });

  test('a missing HELLO leads to a reconnect', async () => {
    const withhold = () => {
      gateway.withheldHellos = 1;
      gateway.cut();
    };
    await through(withhold, { pace: { helloMs: 500 } });
  });

  test('a connection without a heartbeat acknowledgement is terminated', async () => {
    const die = () => {
      gateway.isDead = true;
      const revive = gateway.until('resume', 1);
      void revive.then(() => {
        gateway.isDead = false;
        gateway.cut();
      });
    };
    await through(die, { pace: { ackMs: 500 } });
  });

  test('direct conversations are read back too', async () => {
    const process = start();
    await ready();
    const room = discord.direct();
    await process.has(ask('before', room));
    gateway.forget();
    gateway.cut();
    await process.has(ask('meanwhile', room));
  });

  test('a process resumes the session of a killed process', async () => {
    const first = start();
    await ready();
    await first.has(ask('before'));
    await first.end();
    const id = ask('meanwhile');
    const next = start({ cursor: first.cursor() });
    await next.has(id);
    expect([...next.stored.keys()]).toEqual([id]);
    expect(gateway.count('resume')).toBe(1);
  });

  test('the session of another bot is not resumed', async () => {
    const first = start();
    await ready();
    await vi.waitFor(() => expect(first.cursor()).toMatchObject({ session: {} }), { timeout: 15_000 });
    await first.end();
    start({ cursor: { ...Object(first.cursor()), botId: '1' } });
    await gateway.until('identify', 2);
  });

  test('a session that cannot be resumed is dropped', async () => {
    gateway.refusedResumes = 1;
    await through(() => gateway.cut());
    expect(gateway.count('identify')).toBe(2);
  });
});

describe('a bot in many servers', () => {
  test('stays connected with a notice about the limit', async () => {
    discord.state.shards = 3;
    const process = start();
    await ready();
    await process.has(ask());
    discord.state.shards = 1;
    expect([...process.notices].join()).toMatch(/recommends 3 connections.*refuse it.*bot of their own/);
  });

  test('causes no notice if one connection is enough', async () => {
    const process = start();
    await ready();
    await process.has(ask());
    expect([...process.notices]).toEqual([undefined]);
  });

  test('causes an error with instructions once Discord requires several connections', async () => {
    gateway.closesWith = 4011;
    await expect(start().ended).rejects.toThrow(/more than 2,500 servers.*bot of their own/);
  });
});

describe('permanent failures', () => {
  test('an invalid token is an account error', async () => {
    const token = `${world.token}x`;
    await expect(start({ token }).ended).rejects.toMatchObject({ account: true, advice: { retry: 'never' } });
  });

  test.each([4004, 4011, 4013])('close code %i ends the listener', async (code) => {
    gateway.closesWith = code;
    await expect(start().ended).rejects.toMatchObject({ account: true, advice: { retry: 'never' } });
  });

  test('a disallowed intent is not requested again', async () => {
    discord.allowContent();
    gateway.closesWith = 4014;
    start();
    await gateway.until('identify', 2);
    const intents = gateway.heard.filter(({ op }) => op === 'identify').map(({ d }) => Object(d).intents);
    expect(intents).toEqual([4609 | (1 << 15), 4609]);
    world.application.flags = 0;
  });

  test('an exhausted session limit is retried after its reset', async () => {
    discord.state.sessionsLeft = 0;
    await expect(start().ended).rejects.toMatchObject({ advice: { retry: 'after', afterMs: 3_600_000 } });
    discord.state.sessionsLeft = 1_000;
  });

  test('silence for longer than the patience time ends the listener', async () => {
    const process = start({ pace: { patienceMs: 200, ackMs: 500 } });
    await ready();
    gateway.isDead = true;
    await expect(process.ended).rejects.toMatchObject({ advice: { retry: 'backoff' } });
    const count = process.log.length;
    expect(process.log.slice(count)).toEqual([]);
  });

  test('a gateway address outside Discord and api_base_url ends the listener', async () => {
    const settings = { api_base_url: discord.url.replace('127.0.0.1', 'localhost') };
    const process = start({ settings, pace: { patienceMs: 0 } });
    await expect(process.ended).rejects.toThrow('gateway address outside');
  });
});
