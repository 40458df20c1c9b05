import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import OlderOpenAI from 'openai-5';
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, makeWorkspace, addDocument } = await openTestServer();
const { id, key } = await makeWorkspace();
await addDocument(id, '# Returns\n\nYou can send a box back within 30 days.', [], {
  url: 'https://shop.example/returns',
  contentType: 'text/markdown',
});
const baseURL = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
const content = 'Within how many days can I send a box back?';
const asked = { model: 'parley', messages: [{ role: 'user' as const, content }] };

const options = (apiKey: string) => ({ apiKey, baseURL, maxRetries: 0 });
const streamed = { ...asked, stream: true, stream_options: { include_usage: true } } as const;

/** The same calls, because the types of the versions differ. */
const versions = {
  newest(apiKey: string) {
    const client = new OpenAI(options(apiKey));
    return {
      complete: (model: string) => client.chat.completions.create({ ...asked, model }),
      stream: () => client.chat.completions.create(streamed),
      models: () => client.models.list(),
    };
  },
  fifth(apiKey: string) {
    const client = new OlderOpenAI(options(apiKey));
    return {
      complete: (model: string) => client.chat.completions.create({ ...asked, model }),
      stream: () => client.chat.completions.create(streamed),
      models: () => client.models.list(),
    };
  },
};

describe.each([
  ['newest', versions.newest, OpenAI],
  ['fifth', versions.fifth, OlderOpenAI],
] as const)(
  'the %s version of the official client',
  (_version, open, { UnprocessableEntityError, AuthenticationError }) => {
    const client = open(key);

    test('gets an answer with its citations', async () => {
      const { choices } = await client.complete('parley');
      expect(choices[0]?.message.content).toContain('30 days');
      expect(choices[0]?.message.annotations).toMatchObject([
        { type: 'url_citation', url_citation: { url: 'https://shop.example/returns' } },
      ]);
    });

    test('reads a stream to its end', async () => {
      const chunks = [];
      for await (const chunk of await client.stream()) chunks.push(chunk);
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toContain('30 days');
      expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 0 });
    });

    test('knows an error by its class, code and field', async () => {
      const refused = client.complete('gpt-5');
      await expect(refused).rejects.toMatchObject({ status: 422, code: 'invalid_model', param: 'model' });
      await expect(refused).rejects.toBeInstanceOf(UnprocessableEntityError);
      await expect(open('pk_wrong').models()).rejects.toBeInstanceOf(AuthenticationError);
    });

    test('lists the model', async () => {
      expect((await client.models()).data).toMatchObject([{ id: 'parley', owned_by: id }]);
    });
  },
);

describe("LangChain's client", () => {
  const model = new ChatOpenAI({ model: 'parley', apiKey: key, configuration: { baseURL }, maxRetries: 0 });

  test('gets an answer, at once and streamed', async () => {
    expect((await model.invoke(content)).text).toContain('30 days');
    let text = '';
    for await (const chunk of await model.stream(content)) text += chunk.text;
    expect(text).toContain('30 days');
  });
});
