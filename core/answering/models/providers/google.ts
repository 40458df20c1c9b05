import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ANSWER_TOKENS } from '../chat-model.ts';
import type { ModelMaker } from '../lang-chain-model.ts';
import { readField } from '../provider-failure.ts';

export const google: ModelMaker =
  (model, { apiKey, baseUrl }) =>
  (temperature) =>
    withoutStrayRejections(
      new ChatGoogleGenerativeAI({
        model,
        temperature,
        maxOutputTokens: ANSWER_TOKENS,
        apiKey,
        baseUrl,
        maxRetries: 0,
      }),
    );

/**
 * Google's library makes, beside each stream, a promise of the whole answer. LangChain takes the stream only, and when
 * that breaks off the promise is rejected with nobody there to hear it, which ends the process.
 */
function withoutStrayRejections(model: ChatGoogleGenerativeAI): ChatGoogleGenerativeAI {
  const client = readField(model, 'client');
  const stream = readField(client, 'generateContentStream');
  if (typeof client !== 'object' || client === null || typeof stream !== 'function') return model;
  Reflect.set(client, 'generateContentStream', async (...request: unknown[]): Promise<unknown> => {
    const made: unknown = await Reflect.apply(stream, client, request);
    void Promise.allSettled([readField(made, 'response')]);
    return made;
  });
  return model;
}
