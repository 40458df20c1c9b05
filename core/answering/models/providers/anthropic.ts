import { ChatAnthropic } from '@langchain/anthropic';
import { ANSWER_TOKENS } from '../answer-tokens.ts';
import { leanFetch } from '../lean-fetch.ts';
import type { ModelMaker } from '../open-chat-model.ts';

export const anthropic: ModelMaker =
  (model, { apiKey, baseUrl }) =>
  (temperature) =>
    new ChatAnthropic({
      model,
      temperature,
      maxTokens: ANSWER_TOKENS,
      apiKey,
      anthropicApiUrl: baseUrl,
      maxRetries: 0,
      clientOptions: { authToken: null, logLevel: 'off', fetch: leanFetch },
    });
