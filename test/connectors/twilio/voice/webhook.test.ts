import { describe, expect, test } from 'vitest';
import type { VoiceAccount } from '../../../../connectors/twilio/voice/manifest.ts';
import { render } from '../../../../connectors/twilio/voice/render.ts';
import { createWebhook } from '../../../../connectors/twilio/voice/webhook.ts';
import type { Reply } from '../../../../core/contract/outbound.ts';
import type { HttpAnswer, PulledParts } from '../../../../core/contract/webhook.ts';
import { twilioRequest } from '../../../helpers/platforms/twilio/request.ts';
import { voiceAccount } from '../../../helpers/platforms/twilio/voice-account.ts';
import { voiceFixture } from '../../../helpers/platforms/twilio/voice-fixture.ts';

const call = 'CA11111111111111111111111111111111';
const to = { lane: '+15550002222/+15551234567', address: { call, caller: '+15550002222' } };
const reply: Reply = {
  author: 'bot',
  text: 'We are open on weekdays from 9:00 to 17:00.',
  sources: [{ title: 'Opening hours', url: 'https://shop.example/hours' }],
  replyTo: `${call}:1`,
  offers: [],
  handover: false,
};

function requestOf(fields: Readonly<Record<string, string>>, query = '', account = voiceAccount()) {
  const url = `${account.webhookUrl}${query === '' ? '' : `?${query}`}`;
  return twilioRequest({ fields, authToken: account.credentials.auth_token, url });
}

function read(fixture: string | Readonly<Record<string, string>>, query = '', account = voiceAccount()) {
  const fields = typeof fixture === 'string' ? voiceFixture(fixture) : fixture;
  const request = requestOf(fields, query, account);
  expect(createWebhook(account).verify(request, new Date())).toBe(true);
  return createWebhook(account).read(request);
}

function heard(
  reading: ReturnType<typeof read>,
  collected: Partial<PulledParts> = {},
  disclosure: string | null = null,
): string {
  const all = { parts: [], isAnswering: false, withPerson: false, ...collected };
  const answer: HttpAnswer =
    reading.kind === 'collection' ? reading.collect.respond(all, disclosure) : reading.respond;
  expect(answer).toMatchObject({ status: 200, contentType: 'text/xml; charset=utf-8' });
  return answer.body ?? '';
}

const deliveriesOf = (reading: ReturnType<typeof read>) =>
  'deliveries' in reading ? reading.deliveries : [];
const partsOf = (account: VoiceAccount, changes: Partial<Reply> = {}) =>
  render({ ...reply, ...changes }, to, account).filter(({ onRequest }) => onRequest === undefined);

describe('a call', () => {
  test('begins with a greeting and then listens', () => {
    const opening = read('call-begins');
    expect(deliveriesOf(opening)).toEqual([]);
    expect(heard(opening)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Gather input="speech dtmf" ' +
        'action="https://parley.example/webhooks/chan_twilio?turn=1&amp;step=turn" method="POST" actionOnEmptyResult="true" ' +
        'speechTimeout="auto" timeout="6" numDigits="1" bargeIn="true" language="en-US"><Say language="en-US">' +
        'Hello! Ask me anything about us, and I will look it up. Press zero to speak with a person.</Say></Gather></Response>',
    );
  });

  test('says before the greeting that a machine answers, in the language of the call, and says it once', () => {
    const account = voiceAccount({ language: 'de-DE' });
    const opening = read('call-begins', '', account);
    const sentence = 'Hier antwortet eine Maschine.';
    expect(opening).toMatchObject({ collect: { greetsIn: 'de' } });
    expect(heard(opening, {}, sentence)).toMatch(
      /<Say[^>]*>Hier antwortet eine Maschine\.<\/Say><Say[^>]*>Guten Tag!/,
    );
    const question = read('speech', 'step=turn&turn=1', account);
    expect(question).not.toHaveProperty('collect.greetsIn');
    expect(heard(question, { parts: partsOf(account) })).not.toContain('Maschine');
  });

  test('says nothing of a machine to a caller who is put through to a person at once', () => {
    expect(heard(read('call-begins'), { withPerson: true }, 'A machine answers.')).not.toContain('machine');
  });

  test('uses the greeting, language, voice and hints of the settings', () => {
    const account = voiceAccount({
      greeting: 'Gärtnerei <Rose> & Söhne!',
      language: 'de-DE',
      voice: 'Polly.Vicki-Neural',
      hints: 'Rosen, Tulpen',
    });
    const said = heard(read('call-begins', '', account));
    expect(said).toContain('language="de-DE" hints="Rosen, Tulpen"');
    expect(said).toContain(
      '<Say language="de-DE" voice="Polly.Vicki-Neural">Gärtnerei &lt;Rose&gt; &amp; Söhne!</Say>',
    );
  });

  test('uses the configured language without other settings', () => {
    expect(heard(read('call-begins', '', voiceAccount({ language: 'de-AT' })))).toContain('Guten Tag!');
    expect(heard(read('call-begins', '', voiceAccount({ language: 'fr-FR' })))).toContain('Bonjour');
    expect(heard(read('call-begins', '', voiceAccount({ language: 'pl-PL' })))).toContain('Hello!');
  });

  test('is transferred at once, or told who calls back, if an agent has the conversation', () => {
    const opening = read('call-begins');
    expect(heard(opening, { withPerson: true })).toMatch(
      /looking after your question.*call you back.*<Hangup\/>/,
    );
    const dialled = heard(read('call-begins', '', voiceAccount({ transfer_to: '+15559990000' })), {
      withPerson: true,
    });
    expect(dialled).toMatch(
      /<Dial action="[^"]+step=dialled" method="POST" timeout="25" answerOnBridge="true">\+15559990000</,
    );
  });

  test('is ignored if it belongs to another account or number', () => {
    expect(read({ ...voiceFixture('call-begins'), AccountSid: `AC${'1'.repeat(32)}` }).kind).toBe('ignored');
    expect(read({ ...voiceFixture('call-begins'), To: '+15557654321' }).kind).toBe('ignored');
    expect(read({ Body: 'not about a call' }).kind).toBe('ignored');
  });

  test('ends once, even if several requests report it', () => {
    const [delivery] = deliveriesOf(read('call-completed'));
    expect(delivery).toMatchObject({ id: `${call}:over`, lane: to.lane });
    expect(heard(read('call-completed'))).toBe('<?xml version="1.0" encoding="UTF-8"?><Response/>');
  });

  test('has its own lane if the number is withheld', () => {
    const opening = read('call-begins-without-number');
    expect(opening).toMatchObject({ collect: { lane: 'CA22222222222222222222222222222222' } });
    expect(heard(opening, { withPerson: true })).toContain('I cannot see your number');
  });
});

describe('the words of a caller', () => {
  const asked = read('speech', 'step=turn&turn=1');

  test('are one event of their turn, even if Twilio repeats the request', () => {
    expect(deliveriesOf(asked)).toMatchObject([{ id: `${call}:1`, lane: to.lane }]);
    expect(deliveriesOf(read('speech', 'step=turn&turn=1'))).toEqual(deliveriesOf(asked));
    expect(deliveriesOf(read('speech', 'step=turn&turn=2'))).toMatchObject([{ id: `${call}:2` }]);
  });

  test('get a spoken answer, its first sentence separately, and the call listens again', () => {
    const said = heard(asked, { parts: partsOf(voiceAccount()) });
    expect(said).toContain('<Say language="en-US">We are open on weekdays from 9 AM to 5 PM.</Say>');
    expect(said).toContain(
      'turn=2&amp;asks=link&amp;what=CA11111111111111111111111111111111%3A1+link&amp;step=turn',
    );
    expect(said).not.toContain('shop.example/hours');
  });

  test('get a filler and another request while the answer is generated', () => {
    expect(heard(asked, { isAnswering: true })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Say language="en-US">One moment, please.</Say>' +
        '<Redirect method="POST">https://parley.example/webhooks/chan_twilio?step=wait&amp;turn=1&amp;lap=1</Redirect></Response>',
    );
    const waiting = read('speech', 'step=wait&turn=1&lap=1');
    expect(deliveriesOf(waiting)).toEqual([]);
    expect(heard(waiting, { isAnswering: true })).toContain('I am still looking.');
    expect(heard(waiting, { parts: partsOf(voiceAccount()) })).toContain('9 AM to 5 PM');
  });

  test('get no fillers without end', () => {
    expect(heard(read('speech', 'step=wait&turn=1&lap=4'), { isAnswering: true })).not.toContain('<Say');
    const late = heard(read('speech', 'step=wait&turn=1&lap=7'), { isAnswering: true });
    expect(late).toMatch(/I cannot find it right now.*<\/Gather>/);
    expect(late).not.toContain('Redirect');
  });

  test('are asked for again if the confidence is low', () => {
    const doubtful = read('speech-doubtful', 'step=turn&turn=1');
    expect(deliveriesOf(doubtful)).toEqual([]);
    expect(heard(doubtful)).toContain('I did not catch that.');
    expect(deliveriesOf(read({ ...voiceFixture('speech'), Confidence: '0.0' }, 'step=turn'))).toHaveLength(1);
  });

  test('are asked for twice after silence, then the call ends', () => {
    expect(heard(read('silence', 'step=turn&turn=1'))).toMatch(
      /I did not hear anything.*quiet=1|quiet=1.*I did not hear/,
    );
    expect(heard(read('silence', 'step=turn&turn=2&quiet=1'))).toContain('I still cannot hear you.');
    expect(heard(read('silence', 'step=turn&turn=3&quiet=2'))).toMatch(/Goodbye\.<\/Say><Hangup\/>/);
  });

  test('end the call if they are a farewell', () => {
    const bye = read({ ...voiceFixture('speech'), SpeechResult: 'That’s all.' }, 'step=turn&turn=3');
    expect(deliveriesOf(bye)).toEqual([]);
    expect(heard(bye)).toContain('<Hangup/>');
  });

  test('are stored for the agent who has the conversation, and the caller is told so', () => {
    const account = voiceAccount({ transfer_to: '+15559990000' });
    const said = heard(read('speech', 'step=turn&turn=1', account), { withPerson: true });
    expect(said).toMatch(/I have passed that on.*<Dial/);
  });

  test('are asked for again if they were lost', () => {
    expect(heard(asked)).toMatch(/I lost that.*<\/Gather>/);
  });
});

describe('a yes or a no', () => {
  const said = (words: string, query: string) =>
    read({ ...voiceFixture('speech'), SpeechResult: words }, query);
  const link = 'step=turn&turn=2&asks=link&what=CA11111111111111111111111111111111:1+link';
  const more = 'step=turn&turn=2&asks=more&what=CA11111111111111111111111111111111:1+1';

  test.each(['Yes, please.', 'ok', 'Sure'])('%s accepts the link', (words) => {
    const reading = said(words, link);
    expect(deliveriesOf(reading)).toMatchObject([
      { id: `${call}:2`, native: { does: 'wants', what: `${call}:1 link` } },
    ]);
    expect(heard(reading)).toContain('I am sending you the link now.');
  });

  test('nine accepts the link, and nothing else', () => {
    expect(deliveriesOf(read('digit-nine', link))).toHaveLength(1);
    expect(deliveriesOf(read('digit-nine', 'step=turn&turn=2'))).toEqual([]);
  });

  test('sends no link after a no or another question', () => {
    expect(deliveriesOf(said('No, thanks', link))).toEqual([]);
    expect(heard(said('No, thanks', link))).toContain('Is there anything else?');
    expect(deliveriesOf(said('Yes, and when do you close?', link))).toMatchObject([
      { native: { does: 'asks' } },
    ]);
  });

  test('fetches the rest by its own key after a yes to going on', () => {
    expect(said('go on', more)).toMatchObject({
      kind: 'collection',
      deliveries: [],
      collect: { key: `${call}:1 1` },
    });
  });

  test('answers a question of the answer itself, and ends no call', () => {
    expect(deliveriesOf(said('no', 'step=turn&turn=2'))).toMatchObject([{ native: { does: 'asks' } }]);
    expect(deliveriesOf(said('yes', 'step=turn&turn=2'))).toMatchObject([{ native: { does: 'asks' } }]);
    expect(heard(said('no', 'step=turn&turn=2&asks=else'))).toContain('<Hangup/>');
  });

  test('is understood in German if the call is in German', () => {
    const account = voiceAccount({ language: 'de-DE' });
    const yes = read({ ...voiceFixture('speech'), SpeechResult: 'Ja, gerne!' }, link, account);
    expect(deliveriesOf(yes)).toMatchObject([{ native: { does: 'wants' } }]);
    expect(heard(read({ ...voiceFixture('speech'), SpeechResult: 'Tschüss' }, '', account))).toContain(
      'Auf Wiederhören',
    );
  });
});

describe('a caller who wants a person', () => {
  const account = voiceAccount({ transfer_to: '+15559990000' });

  test('is transferred after pressing zero', () => {
    const zero = read('digit-zero', 'step=turn&turn=1', account);
    expect(deliveriesOf(zero)).toMatchObject([{ native: { does: 'wants-person' } }]);
    const parts = partsOf(account, { text: 'I have passed you on.', handover: true });
    expect(heard(zero, { parts, withPerson: true })).toMatch(
      /I have passed you on\..*I am connecting you with a person now.*<Dial [^>]+>\+15559990000<\/Dial>/,
    );
  });

  test('is told that somebody calls back if there is no number to dial', () => {
    const parts = partsOf(voiceAccount(), { text: 'I have passed you on.', handover: true });
    expect(heard(read('digit-zero', 'step=turn&turn=1'), { parts })).toMatch(
      /call you back at this number.*<Hangup\/>/,
    );
  });

  test('is told so if nobody picks up, and the call ends after a transfer', () => {
    expect(heard(read('dial-no-answer', 'step=dialled', account))).toMatch(
      /nobody can take your call.*<Hangup\/>/,
    );
    expect(heard(read('dial-completed', 'step=dialled', account))).toContain(
      '<Response><Hangup/></Response>',
    );
  });
});

test('the sentence that answers is spoken first, and the rest of the section on request', () => {
  const unsure = 'I am not sure; this may be it:';
  const text = `${unsure}\n\n**We open at nine.**\n\nWe open at nine. On Sundays we are closed.`;
  const parts = render({ ...reply, text, lead: `${unsure} We open at nine.` }, to, voiceAccount());
  expect(parts.map(({ content, onRequest }) => [content, onRequest])).toMatchObject([
    [{ sentences: [`${unsure} We open at nine.`], asks: { asks: 'more' } }, undefined],
    [{ sentences: ['On Sundays we are closed.'], asks: { asks: 'link' } }, true],
    [{ kind: 'message' }, `${call}:1 link`],
  ]);
});

test('hints and greetings refuse card numbers, and accept phone numbers', () => {
  for (const setting of ['hints', 'greeting']) {
    expect(() => voiceAccount({ [setting]: 'Rosen, 4111 1111 1111 1111' })).toThrow(
      'must not contain a card number',
    );
    expect(() => voiceAccount({ [setting]: 'Call 0049 30 1234 5678 or 4111 1111 1111 1112' })).not.toThrow();
  }
});
