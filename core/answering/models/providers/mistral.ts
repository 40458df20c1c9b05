import { ChatMistralAI } from '@langchain/mistralai';
import type { ModelMaker } from '../lang-chain-model.ts';

export const mistral: ModelMaker =
  (model, { apiKey, baseUrl }) =>
  ({ temperature, maxTokens }) =>
    new ChatMistralAI({
      model,
      temperature,
      maxTokens,
      apiKey,
      serverURL: baseUrl,
      maxRetries: 0,
    });
