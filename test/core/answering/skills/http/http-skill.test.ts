import { beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../../helpers/servers/network/free-port.ts';
import {
  openWebhookReceiver,
  verifiedMessage,
} from '../../../../helpers/servers/network/webhook-receiver.ts';
import { openTestSkills } from '../../../../helpers/stores/open-test-skills.ts';

const receiver = await openWebhookReceiver();
const { secret, logged, moment, skill } = openTestSkills(receiver.url);
const given = { order_id: 'A-1' };
const english = 'I could not do that just now. Please try again in a moment, or ask for a person.';
const failed = { reply: english, finding: null, effects: [] };

/** Sets the receiver's responses; an object is sent as JSON. */
const answer = (status: number, body: unknown, type?: string) => {
  const json = typeof body !== 'string' && !Buffer.isBuffer(body);
  receiver.answer = (response) =>
    void response
      .writeHead(status, { 'content-type': type ?? (json ? 'application/json' : 'text/plain') })
      .end(json ? JSON.stringify(body) : body);
};
beforeEach(() => {
  receiver.received.length = 0;
  logged.length = 0;
  answer(200, { say: 'It is on its way.' });
});

describe('a call', () => {
  test('is signed over its exact bytes and contains only the known data of the visitor', async () => {
    const outcome = await skill().run(given, { ...moment, userId: 'customer-7' });
    expect(outcome).toEqual({ reply: 'It is on its way.', finding: null, effects: [] });
    const [message] = receiver.received;
    if (message === undefined) throw new TypeError('nothing arrived');
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^call_\w+$/),
    });
    expect(verifiedMessage(secret, message)).toEqual({
      type: 'skill.called',
      timestamp: expect.any(String),
      data: {
        skill: 'order_status',
        arguments: given,
        workspace_id: 'ws_1',
        conversation_id: 'conv_1',
        channel: 'api',
        question: 'Where is my order A-1?',
        language: 'en',
        user: { id: 'customer-7' },
      },
    });
    expect(() => verifiedMessage('whsec_AAAA', message)).toThrow();
  });

  test('names no unverified visitor, and has a distinct id per call', async () => {
    await skill().run(given, moment);
    await skill().run(given, moment);
    const messages = receiver.received.map((one) => verifiedMessage(secret, one));
    expect(messages.map(({ data }) => data.user)).toEqual([null, null]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
  });

  test('is never triggered by words alone', () => {
    expect(skill().trigger(moment)).toBeNull();
  });

  test('of a skill for verified visitors is not made for others', async () => {
    const gated = skill({ runsFor: 'verified' });
    expect(await gated.run(given, moment)).toMatchObject({
      reply: null,
      finding: expect.stringContaining('signed in'),
    });
    expect(receiver.received).toHaveLength(0);
    await gated.run(given, { ...moment, userId: 'customer-7' });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('invalid arguments', () => {
  const needed = async (parameters: object, wrong: unknown) => {
    const outcome = await skill({ parameters: { type: 'object', ...parameters } }).run(wrong, moment);
    expect([outcome.reply, outcome.effects, receiver.received.length]).toEqual([null, [], 0]);
    return outcome.finding?.split('\n').slice(1);
  };

  test('are reported with their descriptions, and no call is made', async () => {
    const parameters = {
      properties: {
        order_id: { type: 'string', description: 'The number on the confirmation' },
        quantity: { type: 'integer', description: 'How many' },
        address: {
          type: 'object',
          properties: { 'po/box': { type: 'string', maxLength: 3 }, city: { description: 'Where to' } },
          required: ['city'],
        },
        size: { enum: ['S', 'M'] },
      },
      required: ['order_id', 'quantity'],
      additionalProperties: false,
    };
    const wrong = { quantity: '2', address: { 'po/box': 'long' }, size: 'XL', colour: 'red' };
    expect((await needed(parameters, wrong))?.toSorted()).toEqual([
      '- address.city (Where to)',
      '- address.po/box: what was given must NOT have more than 3 characters',
      '- colour: what was given is not one of its arguments',
      '- order_id (The number on the confirmation)',
      '- quantity (How many): what was given must be integer',
      '- size: what was given must be equal to one of the allowed values: S, M',
    ]);
  });

  test.each([null, undefined, 'A-1', ['A-1'], 5])('%j is refused', async (wrong) => {
    const parameters = { properties: { order_id: { description: 'Its number' } }, required: ['order_id'] };
    expect(await needed(parameters, wrong)).toEqual(['- order_id (Its number)']);
  });

  test('must be an object even if nothing is required', async () => {
    expect(await needed({}, 'A-1')).toEqual([]);
  });

  test('with circular references in the schema are an outcome', async () => {
    const parameters = { type: 'object', properties: { a: { $ref: '#/properties/a' } } };
    expect(await skill({ parameters }).run({ a: 1 }, moment)).toEqual(failed);
  });
});

describe('the response', () => {
  const outcomeOf = async (status: number, body: unknown, type?: string) => {
    answer(status, body, type);
    const { reply, finding } = await skill().run(given, moment);
    return reply ?? { finding };
  };

  test('with {say} becomes the reply, trimmed and storable', async () => {
    expect(await outcomeOf(200, { say: '  It is\u0000 here.\n', other: 1 })).toBe('It is here.');
    expect(await outcomeOf(201, { say: 'ä'.repeat(2_000) })).toBe('ä'.repeat(2_000));
    const long = `${'word '.repeat(399)}and a last one that is cut`;
    expect(await outcomeOf(200, { say: long })).toBe(`${'word '.repeat(399)}and…`);
  });

  test('with other JSON becomes a finding without white space and with every digit', async () => {
    const body = '{\n  "id": 12345678901234567890,\n  "name": "Gr\\u00fc\\u00dfe, \\"you\\"",\n  "say": 5\n}';
    expect(await outcomeOf(200, body, 'application/json')).toEqual({
      finding: '{"id":12345678901234567890,"name":"Grüße, \\"you\\"","say":5}',
    });
    expect(await outcomeOf(200, { say: ' ' })).toEqual({ finding: '{"say":" "}' });
    expect(await outcomeOf(200, [1, 2])).toEqual({ finding: '[1,2]' });
  });

  test('with long JSON is cut between two values', async () => {
    const values = Array.from({ length: 2_000 }, (_, index) => 1_000_000 + index);
    answer(200, { values });
    const { finding } = await skill().run(given, moment);
    expect(finding?.length).toBeLessThanOrEqual(8_000);
    expect(finding?.length).toBeGreaterThan(7_900);
    const kept = finding?.match(/\d+/g)?.map(Number) ?? [];
    expect(kept).toEqual(values.slice(0, kept.length));
  });

  test('with text becomes a finding, cut at the end of a line', async () => {
    expect(await outcomeOf(200, ' Two parcels.\nOne is late. ')).toEqual({
      finding: 'Two parcels.\nOne is late.',
    });
    const line = `${'x'.repeat(99)}\n`;
    expect(await outcomeOf(200, line.repeat(100))).toEqual({ finding: `${line.repeat(79).trim()}…` });
  });

  test('without a body counts as done', async () => {
    answer(204, '');
    expect(await skill().run(given, moment)).toEqual({ reply: null, finding: 'It was done.', effects: [] });
  });

  test.each([[{ error: { message: ' No such order. ' } }], [{ message: 'No such order.' }]])(
    'as a refusal with a reason is found: %j',
    async (body) => {
      expect(await outcomeOf(404, body)).toEqual({ finding: 'No such order.' });
      expect(logged).toEqual([]);
    },
  );

  test.each([
    [500, { message: 'Stack overflow in orders.php' }, undefined],
    [503, '', undefined],
    [400, 'no', undefined],
    [422, { error: 'no' }, undefined],
    [304, '', undefined],
    [200, '<h1>Sign in</h1>', 'text/html; charset=utf-8'],
    [200, '{"say": ', 'application/json'],
    [200, Buffer.from([0xff, 0xfe, 0x41]), 'text/plain'],
  ])('with %i %j is a failure, and the log has none of its text', async (status, body, type) => {
    answer(status, body, type);
    expect(await skill().run(given, moment)).toEqual(failed);
    expect(logged).toEqual([{ skill: 'skill_1', workspace: 'ws_1', status }]);
  });

  test.each([
    ['de', 'Das konnte ich gerade nicht erledigen.'],
    ['es', 'No he podido hacerlo'],
    ['fr', "Je n'ai pas pu le faire"],
    ['xx', 'I could not do that'],
  ])('of a failure is in the language of the conversation: %s', async (language, begins) => {
    answer(500, '');
    const { reply } = await skill().run(given, { ...moment, language });
    expect(reply?.startsWith(begins)).toBe(true);
  });
});

describe('a server that cannot be called', () => {
  test.each([
    ['is silent', 'timed_out', { timeoutMs: 50 }, {}, () => {}],
    ['redirects', 'too_many_redirects', {}, {}, null],
    ['answers without end', 'too_large', {}, {}, null],
    [
      'is private',
      'address_refused',
      { url: receiver.url.replace('http:', 'https:') },
      { allowPrivate: false },
      null,
    ],
    ['is called in clear', 'invalid_address', {}, { allowPrivate: false }, null],
  ])('because it %s is a failure, and the log has neither URL nor arguments', async (...row) => {
    const [how, reason, fields, others, silent] = row;
    if (silent !== null) receiver.answer = silent;
    if (how === 'redirects') {
      receiver.answer = (response) => void response.writeHead(307, { location: receiver.url }).end();
    }
    if (how === 'answers without end') answer(200, 'x'.repeat(64 * 1024 + 1));
    expect(await skill(fields, others).run(given, moment)).toEqual(failed);
    expect(logged).toEqual([{ skill: 'skill_1', workspace: 'ws_1', reason }]);
    expect(receiver.received.length).toBe('allowPrivate' in others ? 0 : 1);
  });

  test('with a response of the maximum size is read', async () => {
    answer(200, 'x'.repeat(64 * 1024));
    expect((await skill().run(given, moment)).finding).toHaveLength(8_000);
  });

  test('because nothing listens is a failure', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await skill({ url }).run(given, moment)).toEqual(failed);
    expect(logged).toMatchObject([{ reason: 'host_unreachable' }]);
  });

  test('in a private network is not called, even if its name resolved elsewhere before', async () => {
    const addresses = ['8.8.8.8', '127.0.0.1'];
    const url = `https://rebound.example:${new URL(receiver.url).port}/`;
    const resolveHost = async () => [{ address: addresses.shift() ?? '127.0.0.1', family: 4 }];
    const guarded = { allowPrivate: false, resolveHost };
    expect(await skill({ url, timeoutMs: 100 }, guarded).run(given, moment)).toEqual(failed);
    expect(addresses).toHaveLength(1);
    expect(await skill({ url }, guarded).run(given, moment)).toEqual(failed);
    expect(logged.at(-1)).toMatchObject({ reason: 'address_refused' });
    expect(receiver.received).toHaveLength(0);
  });

  test('with an unreadable secret is a failure', async () => {
    expect(await skill({ secretEncrypted: 'v1.a.b.c' }).run(given, moment)).toEqual(failed);
    expect(logged).toMatchObject([{ err: expect.any(Error) }]);
  });
});

test('an abort by the client stops a call and is thrown', async () => {
  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  receiver.answer = (response) => {
    asked.resolve();
    response.on('close', () => closed.resolve());
  };
  const leaving = new AbortController();
  const reason = new RangeError('left');
  const running = skill().run(given, { ...moment, signal: leaving.signal });
  await asked.promise;
  leaving.abort(reason);
  await expect(running).rejects.toBe(reason);
  await closed.promise;
  expect(logged).toEqual([]);
});

describe('a pattern', () => {
  const withPattern = (pattern: string) =>
    skill({
      parameters: { type: 'object', properties: { a: { type: 'string', pattern } }, required: ['a'] },
    });

  test('with nested repetitions is matched in linear time', async () => {
    const timeOf = async (characters: number) => {
      const begun = performance.now();
      const { finding } = await withPattern('^(a+)+$').run({ a: `${'a'.repeat(characters)}!` }, moment);
      expect(finding).toContain('must match pattern');
      return performance.now() - begun;
    };
    await timeOf(10);
    // A backtracking engine takes a million times as long for twenty more characters.
    expect(await timeOf(60)).toBeLessThan(1_000 * Math.max(1, await timeOf(40)));
  });

  test('stored before it would have been refused fails only its skill', async () => {
    const outcome = await withPattern('(a)\\1').run({ a: 'aa' }, moment);
    expect(outcome).toEqual(failed);
    expect(receiver.received).toEqual([]);
    expect(logged).toEqual([expect.objectContaining({ reason: 'PatternError' })]);
    expect(await withPattern('^a+$').run({ a: 'aa' }, moment)).toMatchObject({ reply: 'It is on its way.' });
  });

  test('is not tried on arguments of more than 64 KB', async () => {
    const outcome = await withPattern('^a+$').run({ a: 'a'.repeat(70_000) }, moment);
    expect(outcome.finding).toBe('Not done: its arguments are longer than 64 KB together.');
    expect(receiver.received).toEqual([]);
  });
});
