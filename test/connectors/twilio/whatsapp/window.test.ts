import { describe, expect, test } from 'vitest';
import { manifest } from '../../../../connectors/twilio/whatsapp/manifest.ts';
import { replyWindow } from '../../../../connectors/twilio/whatsapp/whatsapp.ts';
import { plainReply } from '../../../helpers/models/plain-reply.ts';
import { whatsappAccount } from '../../../helpers/platforms/whatsapp-account.ts';

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
const instead = (text: string, account = withTemplate()) =>
  replyWindow.renderTemplate(plainReply({ text }), to, account);

describe('what goes out when WhatsApp takes no free text any more', () => {
  test('is nothing where no template is set', () => {
    expect(instead('Hello', whatsappAccount())).toBeNull();
  });

  test('is the template, with the words of the reply on one line and without marks', () => {
    expect(instead('**Your** pot:\n\n- is\there')).toEqual({
      content: { contentSid: content_sid, variables: { 1: 'Your pot: • is here' } },
    });
  });

  test('has what else the operator says in its gaps', () => {
    const account = withTemplate({ name: 'the garden shop', 2: 'They say: {text}' });
    expect(instead('$& is here', account)?.content).toEqual({
      contentSid: content_sid,
      variables: { name: 'the garden shop', 2: 'They say: $& is here' },
    });
  });

  test('is cut between words where it would be too long, and never empty', () => {
    const content = JSON.stringify(instead('word '.repeat(400))?.content);
    expect(content.length).toBeLessThan(800);
    expect(content).toContain('word…');
    expect(instead('\n')?.content).toMatchObject({ variables: { 1: '…' } });
  });

  test('may be sent at any time, and free text may not', () => {
    const part = instead('Hello');
    expect(part !== null && replyWindow.isTimeless(part)).toBe(true);
    expect(replyWindow.isTimeless({ content: { body: 'Hello' } })).toBe(false);
  });
});

describe('the settings of templates', () => {
  const parse = (templates: object) =>
    manifest.settings.safeParse({ from: '+15551234567', templates }).success;

  test('take the sid of a template and what fills it, and nothing else', () => {
    expect(parse({ reply: { content_sid, variables: { 1: '{text}' } } })).toBe(true);
    expect(parse({})).toBe(true);
    expect(parse({ reply: { content_sid: 'hello_world' } })).toBe(false);
    expect(parse({ reply: {} })).toBe(false);
  });
});
