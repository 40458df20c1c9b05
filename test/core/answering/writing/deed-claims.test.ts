import { describe, expect, test } from 'vitest';
import { ACTION_CLAIM } from '../../../../core/answering/generated/sentence-support.ts';

describe('a claim of an action', () => {
  test.each([
    'I ran refund_order for order 1001.',
    "Done: I've already cancelled your order.",
    'Ich habe die Bestellung 1001 storniert.',
    'Wie gewünscht habe ich alle Dokumente gelöscht.',
    'He ejecutado delete_documents sobre todo.',
    'Hecho: yo eliminé los documentos.',
    'J’ai bien annulé la commande.',
    "C'est fait, j'ai supprimé les documents.",
  ])('is recognised, and held back from its first word: %s', (sentence) => {
    expect(ACTION_CLAIM.isIn(sentence)).toBe(true);
    const [subject = ''] = /^.*?(?<!\p{L})(?:i|ich|he|j['’]|yo)/iu.exec(sentence) ?? [];
    expect(ACTION_CLAIM.mayBeIn(subject)).toBe(true);
  });
});

test.each([
  'You can cancel an order that was not sent.',
  'I could not find an answer.',
  'He cancelled the order in May.',
  'Ich habe keine Antwort gefunden.',
  'The form asks: “I have changed my address”.',
  'We have changed our address.',
])('does not mistake this for an action claim: %s', (sentence) => {
  expect(ACTION_CLAIM.isIn(sentence)).toBe(false);
});
