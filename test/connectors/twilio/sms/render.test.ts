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

describe('segments are counted as carriers do', () => {
  test.each([
    [160, 1],
    [161, 2],
    [306, 2],
    [307, 3],
  ])('%i letters of seven bits are %i', (letters, segments) => {
    expect(countSegments('a'.repeat(letters))).toBe(segments);
  });

  test.each([
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
  ])('%i letters of sixteen bits are %i', (letters, segments) => {
    expect(countSegments('ж'.repeat(letters))).toBe(segments);
  });

  test('one curly quotation mark makes all letters take sixteen bits', () => {
    expect(countSegments(`${'a'.repeat(159)}”`)).toBe(3);
  });

  test('brackets and the euro take the place of two letters, and what has no place in sixteen bits takes two', () => {
    expect(countSegments('€'.repeat(80))).toBe(1);
    expect(countSegments('€'.repeat(81))).toBe(2);
    expect(countSegments('👋'.repeat(35))).toBe(1);
    expect(countSegments('👋'.repeat(36))).toBe(2);
  });
});

describe('seven bits are kept where that loses nothing', () => {
  test('quotation marks, dashes, dots and spaces are written as telephones have them', () => {
    expect(toGsm('“It’s”\u00A0„open“ – always — wait…\u200B • ok')).toBe(
      '"It\'s" "open" - always - wait... - ok',
    );
  });

  test('what carriers have is left as it is', () => {
    expect(toGsm('Größe ñ é £5 €6 Ø')).toBe('Größe ñ é £5 €6 Ø');
  });

  test('where another letter needs sixteen bits anyway, nothing is changed', () => {
    expect(toGsm('“Привет” – it’s 👋')).toBe('“Привет” – it’s 👋');
  });

  test('is never longer in segments than what was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        expect(countSegments(toGsm(text))).toBeLessThanOrEqual(countSegments(text) + 1);
      }),
    );
  });
});

describe('an answer by SMS', () => {
  test('has no markup, and links stand behind their texts', () => {
    const text =
      '## Hours\n\nSee **our** [opening hours](https://a.example/hours) or https://a.example.\n\n- one\n- `two`';
    expect(bodies(render(plainReply({ text })))).toEqual([
      'Hours\n\nSee our opening hours (https://a.example/hours) or https://a.example.\n\n- one\n- two',
    ]);
  });

  test('names its first source by a short link', () => {
    const sources = [
      { title: 'No page', url: null },
      { title: 'Too long', url: `https://a.example/${'x'.repeat(120)}` },
      { title: 'Returns', url: 'https://a.example/returns' },
    ];
    expect(bodies(render(plainReply({ text: 'Thirty days.', sources })))).toEqual([
      'Thirty days.\n\nhttps://a.example/returns',
    ]);
  });

  test('that is long is short, with the source, and the rest is kept until it is asked for', () => {
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
  ])('in %s says how to ask for the rest: %s', (language, hint) => {
    const [first = ''] = bodies(render(plainReply({ text: long, language })));
    expect(first).toContain(hint);
    expect(countSegments(first)).toBeLessThanOrEqual(3);
  });

  test('of a person is sent whole, in as few messages as Twilio takes', () => {
    const parts = render(plainReply({ author: 'agent', text: long }));
    expect(parts).toEqual([{ content: { body: long.trim() } }]);
    const russian = render(plainReply({ author: 'agent', text: 'Ответ человека. '.repeat(100) }));
    for (const body of bodies(russian)) expect(countSegments(body)).toBeLessThanOrEqual(10);
    expect(russian.some(({ onRequest }) => onRequest)).toBe(false);
  });

  test('without anything to say is sent as dots', () => {
    expect(bodies(render(plainReply({ text: '' })))).toEqual(['...']);
  });
});
