import { describe, expect, test } from 'vitest';
import { manifest, type WhatsappAccount } from '../../../../connectors/twilio/whatsapp/manifest.ts';
import { createReplyWindow } from '../../../../connectors/twilio/whatsapp/whatsapp.ts';
import { plainReply } from '../../../helpers/models/plain-reply.ts';
import { twilioAccount } from '../../../helpers/platforms/twilio/account.ts';

const to = { lane: 'a', address: {} };
const content_sid = `HX${'7'.repeat(32)}`;
const withTemplate = (variables?: Record<string, string>) =>
  whatsappAccount({
    settings: {
      enabled: true,
      from: '+15551234567',
      templates: { reply: { content_sid, ...(variables && { variables }) } },
    },
  });
const templateFor = (text: string, account = withTemplate()) =>
  createReplyWindow(account).renderTemplate(plainReply({ text }), to);

describe('a reply after the window for free text has closed', () => {
  test('is not sent without a template', () => {
    expect(templateFor('Hello', whatsappAccount())).toBeNull();
  });

  test('is sent as the template, with its text on one line and without marks', () => {
    expect(templateFor('**Your** pot:\n\n- is\there')).toEqual({
      content: { contentSid: content_sid, variables: { 1: 'Your pot: • is here' } },
    });
  });

  test("fills the other variables with the operator's texts", () => {
    const account = withTemplate({ name: 'the garden shop', 2: 'They say: {text}' });
    expect(templateFor('$& is here', account)?.content).toEqual({
      contentSid: content_sid,
      variables: { name: 'the garden shop', 2: 'They say: $& is here' },
    });
  });

  test('is cut between words if it is too long, and is never empty', () => {
    const content = JSON.stringify(templateFor('word '.repeat(400))?.content);
    expect(content.length).toBeLessThan(800);
    expect(content).toContain('word…');
    expect(templateFor('\n')?.content).toMatchObject({ variables: { 1: '…' } });
  });

  test('can be sent at any time as a template, and not as free text', () => {
    const replyWindow = createReplyWindow(withTemplate());
    const part = templateFor('Hello');
    expect(part !== null && replyWindow.isTimeless(part)).toBe(true);
    expect(replyWindow.isTimeless({ content: { body: 'Hello' } })).toBe(false);
  });
});

describe('the settings of templates', () => {
  const parse = (templates: object) =>
    manifest.settings.safeParse({ from: '+15551234567', templates }).success;

  test('accept the SID of a template and its variables, and nothing else', () => {
    expect(parse({ reply: { content_sid, variables: { 1: '{text}' } } })).toBe(true);
    expect(parse({})).toBe(true);
    expect(parse({ reply: { content_sid: 'hello_world' } })).toBe(false);
    expect(parse({ reply: {} })).toBe(false);
  });
});

/** The account of the fixtures, with the number as a sender of WhatsApp. */
function whatsappAccount(changes: Partial<WhatsappAccount> = {}): WhatsappAccount {
  return { ...twilioAccount(), ...changes };
}
