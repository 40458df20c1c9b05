import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';

const messagesSchema = z.array(z.looseObject({ role: z.string(), content: z.string() }));
const translation = 'How long is a gift card valid?';
const answers: Readonly<Record<string, string>> = {
  'Wie lange ist ein Geschenkgutschein gültig?': 'Ein Gutschein ist drei Jahre gültig [1].',
  'Как долго действует подарочная карта?': 'Карта действует три года [1].',
  '礼品卡的有效期是多久？': '礼品卡有效期为三年 [1]。',
  'ギフトカードの有効期限はどのくらいですか？': 'ギフトカードは三年間有効です [1]。',
  'ما مدة صلاحية بطاقة الهدايا؟': 'مدة صلاحية البطاقة ثلاث سنوات [1].',
};

const asked: unknown[] = [];

/** Translates when it is asked to, and answers only from the passage about gift cards. */
function reply([system = '', user = '']: readonly string[]): string {
  if (system.includes('translated into English')) return translation;
  const question = Object.keys(answers).find((one) => user.includes(one)) ?? '';
  return (user.includes('valid for three years') ? answers[question] : undefined) ?? 'NO_ANSWER';
}

const model = createServer(async (request, response) => {
  const { messages } = z.looseObject({ messages: messagesSchema }).parse(await json(request));
  asked.push(messages);
  const content = reply(messages.map((message) => message.content));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ choices: [{ message: { content } }] }));
});
const port = await freePort();
await new Promise<void>((resolve) => model.listen(port, '127.0.0.1', resolve));
afterAll(() => {
  model.closeAllConnections();
  model.close();
});

const server = await openTestServer({
  runtime: {
    environment: { LLM_MODELS: 'lab:m', OPENAI_COMPATIBLE_BASE_URL_LAB: `http://127.0.0.1:${port}` },
  },
});
const { id, key } = await server.makeWorkspace();
await server.addDocument(
  id,
  '# Gift cards\n\nA gift card is valid for three years from the day it was bought.',
);
await server.addDocument(id, '# Opening hours\n\nThe shop is open from nine to five, and closed on Sundays.');
await server.addDocument(
  id,
  '# Repairs\n\nThe repair counter takes bicycles and garden tools without an appointment.',
);

test.each(Object.keys(answers))(
  '%s is translated into the language of the documents, and answered',
  async (query) => {
    asked.length = 0;
    const response = await server.query(key, { query });
    expect(response.json()).toMatchObject({
      answer: answers[query]?.replace(/\s?\[1\]/u, ''),
      confidence: expect.stringMatching(/^(?:high|medium)$/),
      sources: [{ document_name: 'Gift cards' }],
    });
    expect(asked).toHaveLength(2);
  },
);

test('a question in the language of the documents is not translated', async () => {
  asked.length = 0;
  await server.query(key, { query: translation });
  expect(JSON.stringify(asked)).not.toContain('translated into');
});
