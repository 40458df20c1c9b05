import { describe, expect, test } from 'vitest';
import { createNormaliser } from '../../../../connectors/twilio/messaging/normalise.ts';
import { smsMedium } from '../../../../connectors/twilio/sms/sms.ts';
import { whatsappMedium } from '../../../../connectors/twilio/whatsapp/whatsapp.ts';
import { twilioAccount } from '../../../helpers/platforms/twilio/account.ts';
import { twilioFixture } from '../../../helpers/platforms/twilio/fixture.ts';

const account = twilioAccount();
const receivedAt = new Date('2026-09-21T12:00:00Z');
const ofSms = createNormaliser(smsMedium);
const ofWhatsapp = createNormaliser(whatsappMedium);
const sms = (name: string) => ofSms(twilioFixture(`sms-${name}`), account, receivedAt);
const whatsapp = (name: string) => ofWhatsapp(twilioFixture(`whatsapp-${name}`), account, receivedAt);
const words = (body: string) =>
  ofSms({ ...twilioFixture('sms-question'), Body: body }, account, receivedAt)[0];

describe('the words that an unsure answer asks for', () => {
  const say = (fields: object) =>
    ofWhatsapp({ ...twilioFixture('whatsapp-question'), ...fields }, account, receivedAt);

  test.each(['That helped', ' “that helped.”', 'Das hat geholfen!', "Cela m'a aidé", 'me ha ayudado'])(
    'rate the last answer, and stay a message: %s',
    (text) => {
      expect(say({ Body: text })).toMatchObject([
        { type: 'feedback', messageId: null, value: 'up', sender: { kind: 'person' } },
        { type: 'message', text },
      ]);
    },
  );

  test('count the same as the button of a template', () => {
    const events = say({ Body: 'That helped', ButtonText: 'That helped', ButtonPayload: 'helped:1' });
    expect(events.map(({ type }) => type)).toEqual(['feedback', 'message']);
  });

  test('rate nothing as part of a longer message', () => {
    expect(say({ Body: 'That helped, but how do I cancel?' })).toMatchObject([{ type: 'message' }]);
  });
});

describe('a message by SMS', () => {
  test('has its sender, its recipient and the time of its arrival', () => {
    const { MessageSid = '' } = twilioFixture('sms-question');
    expect(sms('question')).toEqual([
      {
        type: 'message',
        conversation: {
          lane: '+15551234567/+46700100200',
          address: { visitor: '+46700100200', number: '+15551234567', heard: MessageSid },
        },
        sentAt: receivedAt,
        sender: {
          id: '+46700100200',
          name: null,
          email: null,
          phone: '+46700100200',
          language: null,
          kind: 'person',
        },
        messageId: MessageSid,
        text: 'When are you open?',
        attachments: [],
        addressed: true,
        command: null,
      },
    ]);
  });

  test('lists images and other files with the known details', () => {
    expect(sms('pictures')[0]).toMatchObject({
      text: '',
      attachments: [
        {
          kind: 'image',
          contentType: 'image/jpeg',
          reference: expect.stringMatching(/^https:\/\/api\.twilio\.com\/.*5{32}$/),
        },
        { kind: 'file', contentType: 'text/vcard', reference: expect.stringMatching(/6{32}$/) },
      ],
    });
  });

  test("is marked as a machine's from a short code, and as ours from our own number", () => {
    expect(sms('from-short-code')[0]).toMatchObject({ sender: { kind: 'machine', phone: null } });
    expect(sms('from-us')[0]).toMatchObject({ sender: { kind: 'self' } });
  });
});

describe('keywords', () => {
  const wish = (reachable: boolean) => ({ type: 'reachable', reachable, wished: true });

  test.each(['STOP', 'stopall', ' Unsubscribe ', 'CANCEL', 'End', 'quit', 'REVOKE', 'OptOut'])(
    '%s opts out',
    (word) => expect(words(word)).toMatchObject(wish(false)),
  );

  test.each(['Stop texting me', 'Please stop', 'STOP.', 'non-stop', 'the end'])(
    '%s is a question',
    (text) => {
      expect(words(text)).toMatchObject({ type: 'message', text, command: null });
    },
  );

  test.each(['START', 'Unstop', 'yes'])('%s opts in again', (word) => {
    expect(words(word)).toMatchObject({ type: 'message', text: word, command: 'resume' });
  });

  test.each(['HELP', 'info'])('%s is left to Twilio', (word) => {
    expect(words(word)).toMatchObject({ type: 'unsupported' });
  });

  test.each(['more', 'MEHR', 'más', 'Mas', 'suite'])('%s asks for the rest', (word) => {
    expect(words(word)).toMatchObject({ type: 'message', command: 'more', text: word });
  });

  test('slash commands work as in other channels', () => {
    expect(sms('human')[0]).toMatchObject({ type: 'message', command: 'human' });
  });

  test('a keyword with an image is an ordinary message', () => {
    const pictures = { ...twilioFixture('sms-pictures'), Body: 'END' };
    expect(ofSms(pictures, account, receivedAt)[0]).toMatchObject({ type: 'message', command: null });
  });

  test('keywords that a messaging service recognises count in any language', () => {
    expect(sms('stop-advanced')[0]).toMatchObject(wish(false));
    expect(sms('start-advanced')[0]).toMatchObject(wish(true));
  });

  test('on WhatsApp, fewer keywords opt out, and help is ours to answer', () => {
    expect(whatsapp('stop')[0]).toMatchObject(wish(false));
    expect(whatsapp('cancel')[0]).toMatchObject({ type: 'message', text: 'Cancel', command: null });
    expect(whatsapp('help')[0]).toMatchObject({ type: 'message', command: 'help' });
  });
});

describe('a message on WhatsApp', () => {
  test("has its sender's name, and the number if it is known", () => {
    expect(whatsapp('question')[0]).toMatchObject({
      conversation: { lane: 'whatsapp:+15551234567/whatsapp:+46700100200' },
      sender: { id: '+46700100200', name: 'Ana Berg', phone: '+46700100200', kind: 'person' },
    });
    expect(whatsapp('by-another-id')[0]).toMatchObject({
      conversation: { lane: 'whatsapp:+15551234567/whatsapp:SE.1349120865530274191' },
      sender: { id: 'SE.1349120865530274191', name: 'ana.berg', phone: null, kind: 'person' },
    });
    expect(whatsapp('from-us')[0]).toMatchObject({ sender: { kind: 'self' } });
  });

  test.each([
    ['button', 'Talk to a person'],
    ['list', 'Delivery'],
    ['reply-to-message', 'Yes, that one'],
    ['forwarded', 'Is this true?'],
  ])('with %s has its text', (name, text) => {
    expect(whatsapp(name)[0]).toMatchObject({ type: 'message', text, command: null });
  });

  test.each([
    ['picture', 'image', 'This one'],
    ['voice-note', 'audio', ''],
    ['document', 'file', ''],
  ])('with a %s has the known details', (name, kind, text) => {
    expect(whatsapp(name)[0]).toMatchObject({ text, attachments: [{ kind }] });
  });

  test('with a location has its coordinates', () => {
    expect(whatsapp('place')[0]).toMatchObject({
      attachments: [{ kind: 'other', name: 'Square', reference: 'geo:55.7047,13.1910' }],
    });
  });
});

describe('a delivery report', () => {
  test.each([
    ['sms-report-delivered', 'delivered', null],
    ['whatsapp-report-read', 'read', null],
    ['sms-report-undelivered', 'failed', expect.stringMatching(/10DLC.*30007/)],
    ['whatsapp-report-outside-window', 'failed', expect.stringMatching(/24 hours.*63016/)],
    ['whatsapp-report-unknown-fault', 'failed', 'Something new (Twilio error 69999)'],
  ])('%s sets the message to %s', (name, outcome, because) => {
    const { MessageSid = '' } = twilioFixture(name);
    expect(ofSms(twilioFixture(name), account, receivedAt)).toEqual([
      { type: 'delivery-reported', messageId: MessageSid, outcome, because },
    ]);
  });

  test('with an intermediate status is ignored', () => {
    expect(sms('report-sent')[0]).toMatchObject({
      type: 'unsupported',
      nativeType: 'a message that is sent',
    });
  });
});

test('calls and other payloads are unsupported, with their kind', () => {
  expect(ofSms(twilioFixture('call'), account, receivedAt)).toEqual([
    { type: 'unsupported', nativeType: 'a call' },
  ]);
  expect(ofSms('text', account, receivedAt)).toEqual([{ type: 'unsupported', nativeType: 'not a form' }]);
  expect(ofSms({ a: 'b' }, account, receivedAt)).toEqual([
    { type: 'unsupported', nativeType: 'a form of another kind' },
  ]);
});
