import { ChatMistralAI } from '@langchain/mistralai';
import { ANSWER_TOKENS } from '../chat-model.ts';
import type { ModelMaker } from '../lang-chain-model.ts';

export const mistral: ModelMaker =
  (model, { apiKey, baseUrl }) =>
  (temperature) =>
    new ChatMistralAI({
      model,
      temperature,
      maxTokens: ANSWER_TOKENS,
      apiKey,
      serverURL: baseUrl,
      maxRetries: 0,
    });
