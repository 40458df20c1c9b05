import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineConnector } from '../../../connectors/define-connector.ts';
import { connectors, findConnector } from '../../../connectors/registry.ts';
import type { Account } from '../../../core/contract/account.ts';
import {
  type Ability,
  type AnyConnector,
  abilities,
  type Channel,
} from '../../../core/contract/connector.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';
import type { PulledParts, RawRequest } from '../../../core/contract/webhook.ts';
import { echo } from '../../../server/docs/examples/channel-echo/echo.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import type { ContractHooks, Trouble } from './contract-hooks.ts';
import { hooks } from './hooks.ts';
import { longestReply } from './longest-reply.ts';

const root = resolve(import.meta.dirname, '../../..');
const nothing: PulledParts = { parts: [], isAnswering: true, withPerson: false };
/** The members that every channel has. */
const required = ['intake', 'webhook', 'listen', 'probe', 'normalise', 'render', 'deliver', 'budgets'];
const runs = Number(process.env.PARLEY_RUNS ?? 300);
const receivedAt = new Date('2026-09-21T12:00:00Z');
/** The channels of this version, and the example that new ones are copied from. */
const all = [...connectors, defineConnector(echo)].map(
  (connector) => [connector.manifest.channel, connector] as const,
);

test('every registered channel can be held to the contract, and is found by its name', () => {
  expect(Object.keys(hooks).sort()).toEqual(all.map(([channel]) => channel).sort());
  for (const connector of connectors) expect(findConnector(connector.manifest.channel)).toBe(connector);
  expect(findConnector('carrier-pigeon')).toBeUndefined();
});

const hasPlatform = ([, connector]: (typeof all)[number], account: Account) =>
  connector.open(account).intake !== 'none';
const [withPlatform, ofOurOwn] = [true, false].map((wanted) =>
  all.filter((one) => hasPlatform(one, accountOf(one[0])) === wanted),
);

describe.each(all)('%s can be set up', (channel, connector) => {
  const account = accountOf(channel);

  test('every field of its credentials and settings is described', () => {
    const undescribed = [connector.manifest.credentials, connector.manifest.settings].flatMap((schema) =>
      undescribedFields(schema, ''),
    );
    expect(undescribed).toEqual([]);
  });

  test('its page of the documentation has a set-up guide, and only a mailbox mails', async () => {
    const { page, isMailbox = false } = connector.about;
    expect(await readFile(join(root, page), 'utf8')).toContain('\n## Set it up\n');
    const { sendMail, startConversation } = connector.open(account);
    expect([sendMail !== undefined, startConversation !== undefined]).toEqual([isMailbox, isMailbox]);
  });

  test('an answer on trial is rendered for the address of nobody that its facts name', () => {
    const to = { lane: 'preview', address: connector.about.sampleAddress ?? null };
    const { recap: _, ...reply } = { ...longestReply, replyTo: null };
    expect(connector.open(account).render(reply, to).length).toBeGreaterThan(0);
  });

  test('its facts name the intakes and abilities that its accounts have', () => {
    const opened = connector.open(account);
    const { webhook, listen, streaming, typing, welcome, fetchFile, window, tenancy } = opened;
    const { about, manifest } = connector;
    expect([about.intakes.includes('webhook'), about.intakes.includes('listener')]).toEqual([
      webhook !== null,
      listen !== null,
    ]);
    const had: Readonly<Record<Ability, boolean>> = {
      streaming: streaming !== undefined,
      typing: typing !== undefined,
      welcome: welcome !== undefined,
      files: fetchFile !== undefined,
      window: window !== undefined,
      // An inbox is a fact of the platform.
      inbox: about.abilities.includes('inbox'),
      tenancy: tenancy !== undefined,
      install_links: tenancy?.oauth !== undefined && tenancy.oauth !== null,
    };
    expect(about.abilities).toEqual(abilities.filter((name) => had[name]));
    expect(manifest.appCredentials !== undefined).toBe(tenancy !== undefined);
  });

  test('an account is opened once', () => {
    expect(connector.open(account)).toBe(connector.open(account));
  });

  test('every channel can be switched off, called elsewhere and stored untried', () => {
    const settings = { enabled: false, api_base_url: 'https://proxy.example', verify: false };
    expect(connector.manifest.settings.parse({ ...settingsOf(account), ...settings })).toMatchObject(
      settings,
    );
  });
});

describe.each(ofOurOwn ?? [])('%s has no platform', (channel, connector) => {
  const account = accountOf(channel);

  test('its hooks say so, and nothing is received, read or sent for it', async () => {
    expect(hooks[channel]).toMatchObject({ intake: 'none' });
    const opened = connector.open(account);
    expect(Object.keys(opened).sort()).toEqual([...required].sort());
    expect([opened.webhook, opened.listen]).toEqual([null, null]);
    expect(await opened.probe(connectorTools({ fetch: neverCalled }))).toEqual({});
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const events = opened.normalise(JSON.parse(JSON.stringify(value)), receivedAt);
        expect(events.map(({ type }) => type)).toEqual(['unsupported']);
      }),
      { numRuns: 20 },
    );
    const to = { lane: '1', address: null };
    const [part] = opened.render(longestReply, to);
    const sent = opened.deliver(expectPart(part), to, connectorTools({ fetch: neverCalled }));
    await expect(sent).rejects.toMatchObject({ name: 'ConnectorError', advice: { retry: 'never' } });
  });
});

describe.each(withPlatform ?? [])('%s keeps the contract', (channel, connector) => {
  const own = hooksOf(channel);
  const { account, conversation } = own;
  const opened = connector.open(account);

  test('only a delivery that the platform signed is accepted', () => {
    const { webhook } = opened;
    expect(webhook === null).toBe(own.webhook === null);
    if (webhook === null || own.webhook === null) return;
    const body = JSON.stringify(own.question);
    expect(webhook.verify(own.webhook.signed(body, account), new Date())).toBe(true);
    for (const forged of own.webhook.forged(body, account))
      expect(webhook.verify(forged, new Date())).toBe(false);
    expect(verifiedWithoutSecrets(connector, own.webhook.signed(body, account), account)).toBe(false);
  });

  test('an event has the same id and lane whenever it is sent again', () => {
    const [first, again] = [deliveriesOf(opened, own), deliveriesOf(opened, own)];
    expect(first).toHaveLength(own.webhook === null ? 0 : 1);
    expect(again).toEqual(first);
  });

  test('reading and interpreting never fail, whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), likeAnEvent(own.question)), (value) => {
        const native = JSON.parse(JSON.stringify(value));
        const events = opened.normalise(native, receivedAt);
        expect(events.every(({ type }) => type.length > 0)).toBe(true);
        const request = own.webhook?.signed(JSON.stringify(native), account);
        if (request) {
          const reading = opened.webhook?.read(request);
          const respond =
            reading?.kind === 'collection' ? reading.collect.respond(nothing, null) : reading?.respond;
          expect(respond?.status).toBe(200);
        }
      }),
      { numRuns: runs },
    );
    for (const body of ['', '{', '\u0000', '['.repeat(100_000) + ']'.repeat(100_000)]) {
      const request = own.webhook?.signed(body, account);
      if (request) expect(opened.webhook?.read(request).kind).toBe('ignored');
    }
  });

  test('a question of a person is a message that is said to us', () => {
    const [event] = opened.normalise(own.question, receivedAt);
    expect(event).toMatchObject({ type: 'message', addressed: true, sender: { kind: 'person' } });
  });

  test('own messages are reported as own', () => {
    const said = opened
      .normalise(own.own, receivedAt)
      .flatMap((event) => ('sender' in event ? [event.sender.kind] : []));
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said)).toEqual(new Set(['self']));
  });

  test('an unknown event is unsupported, by its name', () => {
    const [event] = opened.normalise(own.unknown, receivedAt);
    expect(event).toMatchObject({ type: 'unsupported', nativeType: expect.stringMatching(/./) });
  });

  test('the longest reply is sent in parts of which none is too long or broken', () => {
    const parts = opened.render(longestReply, conversation);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.map(own.faultOf)).toEqual(parts.map(() => null));
    const sent = JSON.stringify(parts);
    for (const index of Array.from({ length: 48 }).keys()) expect(sent).toContain(`Sentence ${index} `);
    expect(sent).toContain('The end.');
  });

  test('an unsure answer has buttons for what comes next, or says how to reach a person', () => {
    const offers = ['helped', 'human'] as const;
    const parts = opened.render({ ...longestReply, text: 'Yes.', offers }, conversation);
    expect(parts.map(own.faultOf)).toEqual(parts.map(() => null));
    expect(JSON.stringify(parts)).toMatch(/"helped"|That helped|ask to speak to a person/);
  });

  test('the parts of a reply with any Markdown are sound, and stored as they are', () => {
    fc.assert(
      fc.property(markdown(), (text) => {
        const parts = opened.render({ ...longestReply, text, sources: [] }, conversation);
        expect(parts.length).toBeGreaterThan(0);
        expect(parts.map(own.faultOf)).toEqual(parts.map(() => null));
        expect(JSON.parse(JSON.stringify(parts))).toEqual(parts);
      }),
      { numRuns: runs },
    );
  });

  test('where we send too much, it tells for how long to wait', async () => {
    const { afterMs } = own.limited;
    expect(await refusal(connector, own, ['limited', own.limited.respond])).toMatchObject({
      advice:
        afterMs === null
          ? { retry: 'backoff' }
          : { retry: 'after', afterMs, limited: expect.stringMatching(/^(account|conversation|unsaid)$/) },
      account: false,
    });
  });

  test('where the account is refused, it tells so and that no other try helps', async () => {
    expect(await refusal(connector, own, ['unauthorised', own.unauthorised])).toMatchObject({
      advice: { retry: 'never' },
      account: true,
    });
  });

  test('an error does not contain the credentials', async () => {
    const secrets = secretsIn(account.credentials);
    const failing = (address: unknown) => {
      throw new TypeError(`${String(address)} cannot be reached`, { cause: new Error(String(address)) });
    };
    const error = await refusal(connector, own, ['unreachable', failing]);
    expect(error).toMatchObject({ advice: { retry: 'backoff' } });
    const shown = `${error.message} ${error.stack} ${String(error.cause)}`;
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });

  test('the platform asks the person who installs it, and sends them back with their state', () => {
    const { oauth = null } = opened.tenancy ?? {};
    if (oauth === null) return;
    const back = { redirectUrl: 'https://parley.example/install/callback', state: 'link.browser' };
    const asked = new URL(oauth.authoriseUrl(back));
    expect(asked.protocol).toMatch(/^https?:$/);
    expect([...asked.searchParams.values()]).toContain(back.state);
  });

  test('a sent part counts against limits, each named once', () => {
    const budgets = opened.budgets(conversation);
    expect(new Set(budgets.map(({ key }) => key)).size).toBe(budgets.length);
    expect(budgets.every(({ everyMs, burst }) => everyMs > 0 && burst >= 1)).toBe(true);
  });
});

/** By an account that has lost its secrets, or is not one any more. */
function verifiedWithoutSecrets(connector: AnyConnector, request: RawRequest, account: Account): boolean {
  const given = z.record(z.string(), z.unknown()).parse(account.credentials);
  const empty = Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? '' : value]);
  const without = { ...account, secret: '', credentials: Object.fromEntries(empty) };
  try {
    return connector.open(without).webhook?.verify(request, new Date()) === true;
  } catch (error) {
    if (error instanceof z.ZodError) return false;
    throw error;
  }
}

function hooksOf(channel: string): ContractHooks {
  const found = hooks[channel];
  if (found === undefined || 'intake' in found) throw new TypeError(`${channel} has no contract hooks`);
  return found;
}

function accountOf(channel: string): Account {
  const found = hooks[channel];
  if (found === undefined) throw new TypeError(`${channel} has no contract hooks`);
  return found.account;
}

function neverCalled(): never {
  throw new TypeError('there is nothing to call');
}

function undescribedFields(schema: z.ZodType, path: string): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    if (!(field instanceof z.ZodType)) return [`${path}${name}`];
    const own = field.description === undefined && !(field instanceof z.ZodObject) ? [`${path}${name}`] : [];
    return [...own, ...undescribedFields(field, `${path}${name}.`)];
  });
}

function deliveriesOf({ webhook }: Channel, { webhook: hook, question, account }: ContractHooks) {
  const request = hook?.signed(JSON.stringify(question), account);
  const reading = request && webhook?.read(request);
  return reading?.kind === 'deliveries' || reading?.kind === 'collection' ? reading.deliveries : [];
}

/** Real events with one invalid field somewhere in them. */
function likeAnEvent(event: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(event, []);
  return fc
    .tuple(fc.constantFrom(...places), fc.jsonValue())
    .map(([path, value]) => changed(event, path, value));
}

function placesIn(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function changed(value: unknown, [key, ...path]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  const inside = z.record(z.string(), z.unknown()).catch({}).parse(value);
  return { ...inside, [key]: changed(inside[key], path, put) };
}

/** Pieces of Markdown in any order, so that they open and end in one another; some are longer than a message. */
function markdown(): fc.Arbitrary<string> {
  const marks = [
    '**',
    '_',
    '~~',
    '`',
    '```\n',
    '\n> ',
    '\n- ',
    '\n1. ',
    '\n# ',
    '\n\n',
    '[a](https://a.example/b)',
    '<u>',
  ];
  const others = [
    '</u>',
    '<b>',
    '&amp;',
    '&',
    '<',
    '"',
    '|a|b|\n|-|-|\n|c|d|\n',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    '語',
    ' ',
    '\n',
    '![i](x)',
  ];
  const piece = fc.oneof(
    fc.constantFrom(...marks, ...others),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const long = fc
    .tuple(piece, fc.nat(3_000))
    .map(([text, times]) => text.repeat(Math.min(times, 9_000 / Math.max(1, text.length))));
  return fc
    .array(fc.oneof({ weight: 30, arbitrary: piece }, { weight: 1, arbitrary: long }), { maxLength: 120 })
    .map((pieces) => pieces.join(''));
}

async function refusal(
  connector: AnyConnector,
  own: ContractHooks,
  [trouble, respond]: readonly [Trouble, (address: unknown) => Response],
) {
  const account = (await own.refusing?.(trouble)) ?? own.account;
  const reply = { ...longestReply, text: 'Hello', replyTo: 'a-message' };
  // Parts that the platform collects are never sent.
  const opened = connector.open(account);
  const part = opened.render(reply, own.conversation).find(({ collectedBy }) => collectedBy === undefined);
  const tools = connectorTools({ fetch: async (address) => respond(address) });
  const error = await opened
    .deliver(expectPart(part), own.conversation, tools)
    .catch((thrown: unknown) => thrown);
  if (error instanceof ConnectorError) return error;
  throw new TypeError(`not refused with a ConnectorError but ${String(error)}`);
}

/** All texts at the top level, and the secrets below. */
function secretsIn(credentials: unknown, isBelow = false): readonly string[] {
  return Object.entries(z.record(z.string(), z.unknown()).parse(credentials)).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return secretsIn(value, true);
    const isSecret = !isBelow || /pass|secret|token/.test(name);
    return typeof value === 'string' && isSecret ? [value] : [];
  });
}

function expectPart(part: OutboundPart | undefined): OutboundPart {
  if (part === undefined) throw new TypeError('a reply without parts');
  return part;
}

function settingsOf(account: Account): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(account.settings);
}
