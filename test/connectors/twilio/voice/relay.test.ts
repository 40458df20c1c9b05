import { afterEach, describe, expect, test, vi } from 'vitest';
import { SpeechStream } from '../../../../connectors/twilio/voice/relay/relay-answer.ts';
import { createRelaySocket } from '../../../../connectors/twilio/voice/relay/relay-session.ts';
import { createWebhook } from '../../../../connectors/twilio/voice/webhook.ts';
import type { PulledParts } from '../../../../core/contract/webhook.ts';
import { growthOf } from '../../../helpers/growth-ratio.ts';
import { liveAnswer, relayCaller } from '../../../helpers/platforms/twilio/relay-caller.ts';
import { twilioRequest } from '../../../helpers/platforms/twilio/request.ts';
import { voiceAccount } from '../../../helpers/platforms/twilio/voice-account.ts';
import { voiceFixture } from '../../../helpers/platforms/twilio/voice-fixture.ts';

const link = { content: { kind: 'message', text: 'Hours: https://shop.example' }, onRequest: true } as const;
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 5 });

describe('a call in ConversationRelay', () => {
  test('is handed over with the addresses of its socket and its end', () => {
    const account = voiceAccount({ relay: true, hints: 'Rosen', voice: 'en-US-Journey-O' });
    const request = twilioRequest({
      fields: voiceFixture('call-begins'),
      authToken: account.credentials.auth_token,
      url: account.webhookUrl ?? '',
    });
    const reading = createWebhook(account).read(request);
    const answer =
      reading.kind === 'collection' &&
      reading.collect.respond({ parts: [], isAnswering: false, withPerson: false }, 'A machine answers.');
    expect(answer).toMatchObject({
      body: expect.stringMatching(
        /<Connect action="https:\/\/parley\.example\/webhooks\/chan_twilio\?step=relayed" method="POST"><ConversationRelay url="wss:\/\/parley\.example\/webhooks\/chan_twilio" welcomeGreeting="A machine answers\. Hello! [^"]+" [^>]*language="en-US" interruptible="any" preemptible="false" dtmfDetection="true" voice="en-US-Journey-O" hints="Rosen"><Parameter name="greeting_characters" value="109"\/><\/ConversationRelay><\/Connect>/,
      ),
    });
  });

  test('opens a socket only with a signature over its address', () => {
    const account = voiceAccount();
    const opening = (url: string, authToken = account.credentials.auth_token) => {
      const { headers } = twilioRequest({ fields: {}, authToken, url });
      const signature = headers['x-twilio-signature'];
      const path = '/webhooks/chan_twilio';
      return {
        method: 'GET',
        path,
        headers: { 'x-twilio-signature': signature },
        query: {},
        body: new Uint8Array(),
      };
    };
    const isLetIn = (...of: Parameters<typeof opening>) =>
      createRelaySocket(account).verify(opening(...of), new Date());
    expect(isLetIn('wss://parley.example/webhooks/chan_twilio')).toBe(true);
    expect(isLetIn('wss://parley.example/webhooks/chan_other')).toBe(false);
    expect(isLetIn('https://parley.example/webhooks/chan_twilio')).toBe(false);
    expect(isLetIn('wss://evil.example/webhooks/chan_twilio')).toBe(false);
    expect(isLetIn('wss://parley.example/webhooks/chan_twilio', 'another-token')).toBe(false);
  });

  const goesOn = (fields: Readonly<Record<string, string>>, collected: Partial<PulledParts> = {}) => {
    const account = voiceAccount({ relay: true, transfer_to: '+15559990000' });
    const url = `${account.webhookUrl}?step=relayed`;
    const request = twilioRequest({ fields, authToken: account.credentials.auth_token, url });
    const reading = createWebhook(account).read(request);
    if (reading.kind !== 'collection') throw new TypeError(reading.kind);
    return reading.collect.respond({ parts: [], isAnswering: false, withPerson: false, ...collected }, null)
      .body;
  };
  const ended = (reason: string) => ({
    ...voiceFixture('relay-ended'),
    HandoffData: JSON.stringify({ reason }),
  });
  const words = (text: string) => ({
    content: { kind: 'speech', sentences: [text], asks: null, handover: false },
  });

  test.each([
    ['person', /connecting you with a person now.*<Dial/],
    ['goodbye', /Goodbye\.<\/Say><Hangup\/>/],
  ])('continues correctly after ending with %s', (reason, expected) => {
    expect(goesOn(ended(reason))).toMatch(expected);
  });

  test('speaks the pending reply of an agent before the transfer', () => {
    expect(goesOn(ended('person'), { parts: [words('Bea here.')], withPerson: true })).toMatch(
      /Bea here\.<\/Say><\/Gather>/,
    );
  });

  test('continues without the relay after a failure, with the answer when it is ready, or asks again', () => {
    const failed = voiceFixture('relay-failed');
    expect(goesOn(failed)).toMatch(/I lost that.*<\/Gather>/);
    expect(goesOn(failed, { isAnswering: true })).toMatch(/One moment, please.*<Redirect/);
    expect(goesOn(failed, { parts: [words('Nine to five.')] })).toMatch(/Nine to five\.<\/Say><\/Gather>/);
  });
});

describe('the words of a caller in ConversationRelay', () => {
  test('get an answer sentence by sentence while it is generated', async () => {
    const go = Promise.withResolvers<void>();
    const caller = relayCaller(async (_delivery, { onText }) => {
      onText('We are open from 9:00 ');
      onText('to 17:00. Ask **agai');
      await go.promise;
      onText('n** any time.');
      return liveAnswer('We are open from 9:00 to 17:00. Ask **again** any time.');
    });
    caller.begin();
    caller.says('When are you open?');
    await eventually(() => expect(caller.heard()).toBe('We are open from 9 AM to 5 PM.'));
    go.resolve();
    await eventually(() => expect(caller.messages.at(-1)).toEqual({ type: 'text', token: '', last: true }));
    expect(caller.heard()).toBe('We are open from 9 AM to 5 PM. Ask again any time.');
    expect(caller.deliveries).toMatchObject([
      { id: 'VX11111111111111111111111111111111:1', lane: '+15550002222/+15551234567' },
    ]);
  });

  test('interrupt the answer, and only what was heard is stored', async () => {
    const caller = relayCaller(
      (_delivery, { onText, signal }) =>
        new Promise((resolve) => {
          onText('The shop is open on weekdays. And it is closed on Sundays. ');
          signal.addEventListener('abort', () => resolve(liveAnswer('The shop is open on weekdays. And it')));
        }),
    );
    caller.begin();
    caller.says('When are you open?');
    await eventually(() => expect(caller.heard()).toContain('closed on Sundays'));
    caller.tell(voiceFixture('relay-interrupt'));
    await eventually(() => expect(caller.cuts).toEqual(['msg_1: The shop is open']));
  });

  test('truncate a complete answer if the caller did not hear its end', async () => {
    const caller = relayCaller(async () => liveAnswer('One is here. Two is there. Three is nowhere.'));
    caller.begin();
    caller.says('Where are they?');
    await eventually(() => expect(caller.messages.at(-1)).toMatchObject({ last: true }));
    caller.tell({ type: 'interrupt', utteranceUntilInterrupt: 'Two is' });
    await eventually(() => expect(caller.cuts).toEqual(['msg_1: One is here. Two is']));
  });

  test('do not truncate an answer that was heard to its end, even if a later question is interrupted', async () => {
    const caller = relayCaller(async () => liveAnswer('Nine **to** five.', { parts: [link] }));
    caller.begin();
    caller.says('When?');
    await eventually(() => expect(caller.heard()).toContain('Shall I send you the link'));
    caller.tell({ type: 'interrupt', utteranceUntilInterrupt: 'Nine to five. Shall I send' });
    caller.says('Yes please');
    await eventually(() => expect(caller.heard()).toContain('I am sending you the link now.'));
    caller.tell({ type: 'interrupt', utteranceUntilInterrupt: 'I am' });
    caller.says('Goodbye');
    await eventually(() => expect(caller.messages.at(-1)).toMatchObject({ type: 'end' }));
    expect(caller.cuts).toEqual([]);
  });

  test('end an answer before its first word, and nothing of it is stored', async () => {
    const caller = relayCaller(
      (_delivery, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(liveAnswer('Unsaid.')))),
    );
    caller.begin();
    caller.says('When?');
    caller.tell({ type: 'interrupt', utteranceUntilInterrupt: '' });
    await eventually(() => expect(caller.cuts).toEqual(['msg_1: ']));
    expect(caller.heard()).toBe('');
  });

  test('end an answer that is being generated', async () => {
    const signals: AbortSignal[] = [];
    const caller = relayCaller((_delivery, { signal }) => {
      signals.push(signal);
      if (signals.length === 2) return Promise.resolve(liveAnswer('Second.'));
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(liveAnswer(''))));
    });
    caller.begin();
    caller.says('First?');
    await eventually(() => expect(signals).toHaveLength(1));
    caller.says('Second?');
    await eventually(() => expect(caller.heard()).toContain('Second.'));
    expect(signals[0]?.aborted).toBe(true);
  });

  test('get a filler within a second, which the answer may cut short', async () => {
    const caller = relayCaller(
      (_delivery, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    );
    caller.begin();
    const startedAt = performance.now();
    caller.says('When are you open?');
    await eventually(() =>
      expect(caller.messages).toMatchObject([{ token: 'One moment, please. ', preemptible: true }]),
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    caller.leave();
    await caller.served;
  });

  test('go to a person after zero, after a handover, and if an agent has the conversation', async () => {
    const handover = relayCaller(async () => liveAnswer('I have passed you on.', { handover: true }));
    handover.begin();
    handover.presses('0');
    await eventually(() =>
      expect(handover.messages.at(-1)).toEqual({ type: 'end', handoffData: '{"reason":"person"}' }),
    );
    expect(handover.deliveries).toMatchObject([{ native: { does: 'wants-person' } }]);
    const silent = relayCaller(async () => null);
    silent.begin();
    silent.says('Hello?');
    await eventually(() =>
      expect(silent.messages.at(-1)).toEqual({ type: 'end', handoffData: '{"reason":"person"}' }),
    );
  });

  test('end the call if they are a farewell', async () => {
    const caller = relayCaller(async () => null);
    caller.begin();
    caller.says('Goodbye!');
    await eventually(() =>
      expect(caller.messages).toEqual([{ type: 'end', handoffData: '{"reason":"goodbye"}' }]),
    );
    expect(caller.deliveries).toEqual([]);
  });

  test('get the link after a yes to it', async () => {
    const caller = relayCaller(async () => liveAnswer('Nine to five.', { parts: [link] }));
    caller.begin();
    caller.says('When?');
    await eventually(() => expect(caller.heard()).toContain('Shall I send you the link'));
    caller.says('Yes please');
    await eventually(() => expect(caller.heard()).toContain('I am sending you the link now.'));
    expect(caller.deliveries[1]).toMatchObject({
      native: { does: 'wants', what: 'VX11111111111111111111111111111111:1 link' },
    });
  });

  test('get no longer answer than callers listen to without a question', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `This is sentence ${index} of the answer.`).join(
      ' ',
    );
    const caller = relayCaller(async () => liveAnswer(text));
    caller.begin();
    caller.says('Tell me everything');
    await eventually(() => expect(caller.heard()).toMatch(/Shall I go on\?$/));
    const before = caller.heard();
    expect(before.length).toBeLessThan(1_000);
    caller.says('Go on');
    await eventually(() => expect(caller.heard().length).toBeGreaterThan(before.length + 200));
    expect(caller.deliveries).toHaveLength(1);
    caller.tell({ type: 'interrupt', utteranceUntilInterrupt: 'This is sentence 25 of' });
    await eventually(() => expect(caller.cuts).toHaveLength(1));
    expect(caller.cuts[0]).toMatch(/^msg_1: This is sentence 0 .*This is sentence 25 of$/);
  });
});

describe('silence', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is followed by two questions, then the call ends', async () => {
    vi.useFakeTimers();
    const caller = relayCaller(async () => liveAnswer('Nine to five.'));
    caller.begin();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(caller.heard()).toMatch(/^I did not hear anything/);
    caller.says('When are you open?');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(caller.heard()).toMatch(/Nine to five\.$/);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(caller.heard()).toMatch(/I did not hear anything.*I still cannot hear you/);
    expect(caller.messages.at(-1)).toEqual({ type: 'end', handoffData: '{"reason":"goodbye"}' });
  });

  test('is not followed by a question after the caller hung up', async () => {
    vi.useFakeTimers();
    const caller = relayCaller(async () => null);
    caller.begin();
    caller.leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(caller.messages).toEqual([]);
  });
});

test('a socket that does not begin with a setup of this account is closed', async () => {
  const rude = relayCaller(async () => null);
  rude.says('Hello');
  expect(await rude.closed).toBe(1_008);
  const stranger = relayCaller(async () => null);
  stranger.tell({ ...voiceFixture('relay-setup'), accountSid: `AC${'1'.repeat(32)}` });
  expect(await stranger.closed).toBe(1_008);
});

test('unknown messages, in either direction, do not end the call', async () => {
  const caller = relayCaller(async () => liveAnswer('Still here.'));
  caller.begin();
  caller.tell(voiceFixture('relay-error'));
  caller.tell({ type: 'news', of: 'tomorrow' });
  caller.says('Hello?');
  await eventually(() => expect(caller.heard()).toBe('Still here.'));
});

test.each([
  [
    ['Yes. It is 5 ', 'km. Good', 'bye'],
    ['Yes. It is 5 kilometres.', 'Goodbye.'],
  ],
  [
    ['1. Open ', 'it.\n2. Close', ' it.'],
    ['First: Open it.', 'Second: Close it.'],
  ],
  [
    ['See [the. page', '](https://a.example/b). Then ', 'go.'],
    ['See the. page.', 'Then go.'],
  ],
  [
    ['Run:\n```\na. b. \n', '```\nDone. '],
    ['Run:', 'There is a piece of code here, which I leave out.', 'Done.'],
  ],
])('speaks the pieces %j as soon as a sentence is complete', (pieces, expected) => {
  const stream = new SpeechStream('en-US');
  const said = [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
  expect(said.join(' ')).toBe(expected.join(' '));
});

test.each(['[', '```', '**', '| a '])('speaks text after an unclosed %j in linear time', (opening) => {
  const say = (text: string) => {
    const stream = new SpeechStream('en-US');
    const said: string[] = [];
    const whole = opening + text;
    for (let at = 0; at < whole.length; at += 3) said.push(...stream.push(whole.slice(at, at + 3)));
    return said;
  };
  expect(say('It costs a lot. '.repeat(200)).length).toBeGreaterThan(0);
  expect(growthOf(say, 'a. ', 16_000)).toBeLessThan(10);
});
