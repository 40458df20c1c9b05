import { describe, expect, test } from 'vitest';
import { translateWords } from '../../../../core/answering/understanding/translate-words.ts';
import { languages } from '../../../../core/language/languages/index.ts';

const glossaries = languages.flatMap(({ name, glossary }) =>
  glossary === undefined ? [] : [[name, glossary] as const],
);

describe('translateWords', () => {
  test.each([
    ['de', 'Was kostet der Versand nach Deutschland?', 'how much is the delivery to Germany?'],
    ['de', 'Kann ich mit PayPal bezahlen?', 'can I with PayPal pay?'],
    ['fr', 'Combien coûte la livraison en France ?', 'how much is the delivery in France?'],
    ['fr', 'J’ai oublié mon mot de passe, que faire ?', 'I have forgotten my password what to do?'],
    ['es', '¿Cuánto dura la garantía de la bomba?', 'how long does last the warranty of the pump?'],
  ])('finds words, phrases and endings (%s: %s)', (language, question, english) => {
    expect(translateWords(question, language)).toBe(english);
  });

  test('splits German compounds and finds verbs with “zu” in the middle', () => {
    expect(translateWords('Versandkostenrechnung', 'de')).toBe('delivery cost invoice?');
    expect(translateWords('Ist es möglich, die Lampe zurückzugeben?', 'de')).toBe(
      'is it possible the lamp return?',
    );
  });

  test('keeps names and numbers as they are written', () => {
    expect(translateWords('Wie groß ist der Tank des Pottle 200 Classic?', 'de')).toContain(
      'Pottle 200 Classic',
    );
  });

  test('returns null if more than half of the words are unknown, or the language is', () => {
    expect(translateWords('Regenwürmer fressen Laub', 'de')).toBeNull();
    expect(translateWords('Quanto costa la spedizione?', 'it')).toBeNull();
  });

  test('there are glossaries', () => {
    expect(glossaries.length).toBeGreaterThanOrEqual(3);
  });

  test.each(glossaries)(
    'the %s glossary has an English word for each entry, and nothing but Latin letters',
    (_, { entries }) => {
      const wrong = entries
        .trim()
        .split(/\s+/u)
        .filter((entry) => !/^[a-z][a-z_-]*=[A-Za-z][A-Za-z_'-]*$/u.test(entry));
      expect(wrong).toEqual([]);
    },
  );
});
