import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const server = await openTestServer();
const { id, key } = await server.makeWorkspace();
await server.addDocument(
  id,
  '# Gift cards\n\nA gift card is valid for three years from the day it was bought.',
);
await server.addDocument(id, '# Opening hours\n\nThe shop is open from nine to five, and closed on Sundays.');
await server.addDocument(id, '# Returns\n\nYou have 60 days from delivery to send an item back.');

test.each([
  ['Wie lange ist eine Geschenkkarte gültig?', 'valid for three years'],
  ['Combien de temps ai-je pour renvoyer un article ?', '60 days'],
  ['¿Qué horario tiene la tienda los domingos?', 'closed on Sundays'],
])('without a model, “%s” is answered in the words of English documents', async (query, words) => {
  const response = await server.query(key, { query });
  expect(response.json()).toMatchObject({
    answer: expect.stringContaining(words),
    confidence: expect.stringMatching(/^(?:high|medium)$/),
  });
});

test.each([
  'Wie wird das Wetter morgen in Berlin?',
  'Comment préparer une quiche lorraine ?',
  '¿Quién es el presidente de México?',
])('“%s”, which the documents do not answer, gets the fallback in its language', async (query) => {
  const body = (await server.query(key, { query })).json();
  expect(body).toMatchObject({ confidence: 'low', sources: [] });
  expect(body.answer).not.toMatch(/\b(?:the|you)\b/iu);
});
