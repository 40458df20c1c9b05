import { describe, expect, it } from 'vitest';
import { standaloneQuestion } from '../../../core/answering/understanding/standalone-question.ts';

function asked(earlier: readonly string[], question: string, answer: string | null = null) {
  return standaloneQuestion(
    question,
    earlier.map((text) => ({ question: text, answer })),
  );
}

describe('standaloneQuestion', () => {
  it.each([
    [
      'How many seats does the Team plan include?',
      'and what does an extra one cost?',
      ['seats', 'Team', 'plan'],
    ],
    ['How do I return a jacket?', 'how long does that take?', ['return', 'jacket']],
    ['Can I export my data?', 'Does that also work with the free plan?', ['export', 'data']],
    ['What are your opening hours?', 'and on Sundays?', ['opening', 'hours']],
    ['What is the refund policy?', 'why?', ['refund', 'policy']],
    ['Does the app work offline?', 'in German?', ['app', 'offline']],
    ['Wie kann ich meinen Vertrag kündigen?', 'Wie lange dauert das?', ['Vertrag', 'kündigen']],
    ['Was kostet der Versand nach Deutschland?', 'und für die Schweiz?', ['Versand', 'Schweiz']],
    ['¿Cuánto cuesta el envío a España?', '¿y para Portugal?', ['envío', 'Portugal']],
    ['Comment résilier mon abonnement ?', 'combien de temps cela prend ?', ['résilier', 'abonnement']],
    ['Quel est le prix de la livraison en France ?', 'et pour la Belgique ?', ['livraison', 'Belgique']],
  ])('after "%s", "%s" is searched for with its topic', (earlier, question, words) => {
    const { followUp, searchText } = asked([earlier], question);
    expect(followUp).toBe(true);
    expect(searchText.startsWith(question)).toBe(true);
    for (const word of words) expect(searchText).toContain(word);
  });

  it.each([
    ['How do I return a jacket?', 'How do I reset my password?'],
    ['How do I return a jacket?', 'And how do I cancel my subscription?'],
    ['What is the refund policy?', 'Is it possible to pay by invoice?'],
    ['What is the refund policy?', 'How long does it take to get a replacement card?'],
    ['Can I export my data?', 'If my card is declined, will it be charged again later?'],
    ['What are your opening hours?', 'Is there parking?'],
    ['What are your opening hours?', 'refund policy'],
    ['What is the refund policy?', 'thanks'],
    ['What is the refund policy?', 'Who are you?'],
    ['Wie kann ich meinen Vertrag kündigen?', 'Gibt es einen Rabatt für Studenten?'],
    ['Wie kann ich meinen Vertrag kündigen?', 'Was kostet das Premium-Paket?'],
    ['¿Cuánto cuesta el envío a España?', '¿Cómo cambio mi contraseña?'],
    ['Comment résilier mon abonnement ?', 'Quels moyens de paiement acceptez-vous ?'],
  ])('after "%s", "%s" is searched for unchanged', (earlier, question) => {
    expect(asked([earlier], question)).toMatchObject({ searchText: question, followUp: false });
  });

  it.each(['and to Norway?', 'what about Norway?'])(
    'replaces the old case with the new one: %s',
    (question) => {
      const { searchText } = asked(['Do you ship to Sweden?'], question);
      expect(searchText).toContain('ship');
      expect(searchText).not.toContain('Sweden');
    },
  );

  it('uses the latest topic, not the first', () => {
    const { searchText } = asked(
      ['What does the Solo plan cost?', 'and the Team plan?'],
      'how many seats does it have?',
    );
    expect(searchText).toContain('Team');
    expect(searchText).not.toContain('Solo');
  });

  it('skips a turn without a topic of its own', () => {
    expect(
      asked(['Can I bring my dog to the hotel?', 'is there a fee for that?'], 'how much is it per night?')
        .searchText,
    ).toContain('dog');
  });

  it('takes a person’s name from the last answer', () => {
    const { searchText } = asked(
      ['Who founded the bakery?'],
      'where does she live?',
      'It was founded by Ada Marlow in 1911.',
    );
    expect(searchText).toContain('Ada Marlow');
  });

  it('adds only a few words, however long the last question was', () => {
    const long = `Can you tell me about ${Array.from({ length: 80 }, (_, index) => `subject${index}`).join(' ')}?`;
    expect(asked([long], 'how long does that take?').searchText.split(' ').length).toBeLessThan(12);
  });

  it('keeps a name that no other one replaces', () => {
    expect(asked(['How much is delivery to Germany?'], 'how long does it take?').searchText).toContain(
      'Germany',
    );
  });

  it('leaves the first question of a conversation unchanged', () => {
    expect(standaloneQuestion('and for students?', [])).toMatchObject({
      searchText: 'and for students?',
      followUp: false,
    });
  });

  it('leaves questions in unsupported languages unchanged', () => {
    expect(asked(['Сколько стоит доставка?'], 'а в Казань?').followUp).toBe(false);
  });
});
