import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ANSWER_TOKENS } from '../answer-tokens.ts';
import type { ModelMaker } from '../open-chat-model.ts';

export const google: ModelMaker =
  (model, { apiKey, baseUrl }) =>
  (temperature) =>
    new ChatGoogleGenerativeAI({
      model,
      temperature,
      maxOutputTokens: ANSWER_TOKENS,
      apiKey,
      baseUrl,
      maxRetries: 0,
    });
