import { describe, expect, it } from 'vitest';
import { extractSearchTerms } from '../../../core/conversations/messages/messages.ts';

function finds(query: string, text: string): boolean {
  const terms = new Set(extractSearchTerms('ws_1', text));
  return extractSearchTerms('ws_1', query).every((term) => terms.has(term));
}

describe('extractSearchTerms', () => {
  it.each([
    ['refund', 'When are refunds paid?'],
    ['REFUNDS paid', 'When is a refund paid out? It was not paid yet.'],
    ['not', 'It has not arrived.'],
    ["don't", 'I don’t know.'],
    ['grosse', 'Welche Größe habe ich?'],
    ['größe', 'Welche GROSSE Auswahl'],
    ['заказ', 'Где мои заказы?'],
    ['配送', '明日配送できますか'],
    ['都', '東京都に住んでいます'],
    ['東京', '東京都に住んでいます'],
    ['배송', '배송은 언제 되나요?'],
    ['A-1042', 'My order a-1042 is late'],
    ['1.5', 'It weighs 1.5 kg'],
  ])('finds "%s" in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ['refund now', 'When are refunds paid?'],
    ['not', 'It has arrived.'],
    ['東都', '東京都に住んでいます'],
    ['1042', 'My order 1043'],
  ])('does not find "%s" in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  it('returns each term once, as a signed 32-bit integer', () => {
    const terms = extractSearchTerms('ws_1', 'Blue boots, blue laces, blue everything.');
    expect(terms).toHaveLength(4);
    expect(terms.every((term) => term === (term | 0))).toBe(true);
  });

  it('shares no term between workspaces', () => {
    const other = new Set(extractSearchTerms('ws_2', 'Where is my parcel?'));
    expect(extractSearchTerms('ws_1', 'Where is my parcel?').some((term) => other.has(term))).toBe(false);
  });

  it('is empty for a text without words', () => {
    expect(extractSearchTerms('ws_1', ' … !? ')).toEqual([]);
  });

  it('returns at most 2,000 terms', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `word${index}x`).join(' ');
    expect(extractSearchTerms('ws_1', text)).toHaveLength(2_000);
  });
});
