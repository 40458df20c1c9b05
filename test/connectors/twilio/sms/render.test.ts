import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countSegments, render, toGsm } from '../../../../connectors/twilio/sms/render.ts';
import { plainReply } from '../../../helpers/models/plain-reply.ts';

const bodySchema = z.object({ body: z.string() });
const bodies = (parts: ReturnType<typeof render>) =>
  parts.map(({ content }) => bodySchema.parse(content).body);
const sentence = (index: number) => `Sentence ${index} is about forty letters long. `;
const long = Array.from({ length: 20 }, (_, index) => sentence(index)).join('');

describe('counting segments as carriers do', () => {
  test.each([
    [160, 1],
    [161, 2],
    [306, 2],
    [307, 3],
  ])('%i seven-bit characters are %i segments', (letters, segments) => {
    expect(countSegments('a'.repeat(letters))).toBe(segments);
  });

  test.each([
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
  ])('%i sixteen-bit characters are %i segments', (letters, segments) => {
    expect(countSegments('ж'.repeat(letters))).toBe(segments);
  });

  test('a single curly quote makes all characters sixteen bits long', () => {
    expect(countSegments(`${'a'.repeat(159)}”`)).toBe(3);
  });

  test('brackets and the euro sign count twice, and so do characters beyond the basic plane', () => {
    expect(countSegments('€'.repeat(80))).toBe(1);
    expect(countSegments('€'.repeat(81))).toBe(2);
    expect(countSegments('👋'.repeat(35))).toBe(1);
    expect(countSegments('👋'.repeat(36))).toBe(2);
  });
});

describe('replacing characters to stay in seven bits', () => {
  test('writes quotation marks, dashes, dots and spaces in GSM-7', () => {
    expect(toGsm('“It’s”\u00A0„open“ – always — wait…\u200B • ok')).toBe(
      '"It\'s" "open" - always - wait... - ok',
    );
  });

  test('keeps characters of GSM-7', () => {
    expect(toGsm('Größe ñ é £5 €6 Ø')).toBe('Größe ñ é £5 €6 Ø');
  });

  test('changes nothing if another character needs sixteen bits anyway', () => {
    expect(toGsm('“Привет” – it’s 👋')).toBe('“Привет” – it’s 👋');
  });

  test('never needs more segments than the original text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        expect(countSegments(toGsm(text))).toBeLessThanOrEqual(countSegments(text) + 1);
      }),
    );
  });
});

describe('an answer by SMS', () => {
  test('has no markup, and addresses follow their texts', () => {
    const text =
      '## Hours\n\nSee **our** [opening hours](https://a.example/hours) or https://a.example.\n\n- one\n- `two`';
    expect(bodies(render(plainReply({ text })))).toEqual([
      'Hours\n\nSee our opening hours (https://a.example/hours) or https://a.example.\n\n- one\n- two',
    ]);
  });

  test('includes the first source with a short address', () => {
    const sources = [
      { title: 'No page', url: null },
      { title: 'Too long', url: `https://a.example/${'x'.repeat(120)}` },
      { title: 'Returns', url: 'https://a.example/returns' },
    ];
    expect(bodies(render(plainReply({ text: 'Thirty days.', sources })))).toEqual([
      'Thirty days.\n\nhttps://a.example/returns',
    ]);
  });

  test('is cut to a short part with the source, and the rest is sent on request', () => {
    const sources = [{ title: 'Returns', url: 'https://a.example/returns' }];
    const parts = render(plainReply({ text: long, sources }));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ onRequest = false }) => onRequest)).toEqual(parts.map((_, index) => index > 0));
    const [first = '', ...rest] = bodies(parts);
    expect(first).toMatch(/\n\nhttps:\/\/a\.example\/returns\n\nReply MORE for the rest\.$/);
    expect(rest.at(-1)).not.toContain('MORE');
    for (const body of bodies(parts)) expect(body.length).toBeLessThanOrEqual(320);
    for (const index of Array.from({ length: 20 }).keys())
      expect(bodies(parts).join(' ')).toContain(sentence(index).trim());
  });

  test.each([
    ['de', 'Antworten Sie MEHR'],
    ['es', 'Responda MAS'],
    ['fr', 'Répondez SUITE'],
    ['fi', 'Reply MORE'],
  ])('explains in %s how to get the rest: %s', (language, hint) => {
    const [first = ''] = bodies(render(plainReply({ text: long, language })));
    expect(first).toContain(hint);
    expect(countSegments(first)).toBeLessThanOrEqual(3);
  });

  test('of an agent is sent whole, in as few messages as Twilio allows', () => {
    const parts = render(plainReply({ author: 'agent', text: long }));
    expect(parts).toEqual([{ content: { body: long.trim() } }]);
    const russian = render(plainReply({ author: 'agent', text: 'Ответ человека. '.repeat(100) }));
    for (const body of bodies(russian)) expect(countSegments(body)).toBeLessThanOrEqual(10);
    expect(russian.some(({ onRequest }) => onRequest)).toBe(false);
  });

  test('begins with the sentence that answers, and the rest does not repeat it', () => {
    const sources = [{ title: 'Returns', url: 'https://a.example/returns' }];
    const lead = 'Send it back within 30 days.';
    const parts = render(plainReply({ text: `**${lead}**\n\n${long}`, lead, sources }));
    const [first, ...rest] = bodies(parts);
    expect(first).toBe(`${lead}\n\nhttps://a.example/returns\n\nReply MORE for the rest.`);
    expect(rest.join(' ')).not.toContain(lead);
    expect(rest[0]).toContain(sentence(0).trim());
  });

  test('of a few words is sent whole, whatever its lead is', () => {
    expect(bodies(render(plainReply({ text: 'Yes. Within 30 days.', lead: 'Within 30 days.' })))).toEqual([
      'Yes. Within 30 days.',
    ]);
  });

  test('that is unsure says how to reach a person', () => {
    const offers = ['helped', 'human'] as const;
    const unsure = 'I am not sure; this may be it: Within 30 days.';
    const [first] = bodies(render(plainReply({ text: `${unsure} ${long}`, lead: unsure, offers })));
    expect(first).toBe(
      `${unsure}\n\nIf this is not it, ask to speak to a person.\n\nReply MORE for the rest.`,
    );
  });

  test('is a placeholder if it is empty', () => {
    expect(bodies(render(plainReply({ text: '' })))).toEqual(['...']);
  });
});
