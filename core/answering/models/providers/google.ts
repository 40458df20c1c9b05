import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import type { ModelMaker } from '../lang-chain-model.ts';
import { readField } from '../provider-failure.ts';

export const google: ModelMaker =
  (model, { apiKey, baseUrl }) =>
  ({ temperature, maxTokens }) =>
    withoutStrayRejections(
      new ChatGoogleGenerativeAI({
        model,
        temperature,
        maxOutputTokens: maxTokens,
        apiKey,
        baseUrl,
        maxRetries: 0,
      }),
    );

/**
 * Google's library creates, besides each stream, a promise of the complete answer. LangChain uses only the stream. If it
 * breaks off, that promise rejects without a handler, which would end the process.
 */
function withoutStrayRejections(model: ChatGoogleGenerativeAI): ChatGoogleGenerativeAI {
  const client = readField(model, 'client');
  const stream = readField(client, 'generateContentStream');
  if (typeof client !== 'object' || client === null || typeof stream !== 'function') return model;
  Reflect.set(client, 'generateContentStream', async (...request: unknown[]): Promise<unknown> => {
    const result: unknown = await Reflect.apply(stream, client, request);
    void Promise.allSettled([readField(result, 'response')]);
    return result;
  });
  return model;
}
