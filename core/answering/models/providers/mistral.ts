import { ChatMistralAI } from '@langchain/mistralai';
import { ANSWER_TOKENS } from '../answer-tokens.ts';
import type { ModelMaker } from '../open-chat-model.ts';

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
