import { ChatOpenAICompletions } from '@langchain/openai';
import { ANSWER_TOKENS } from '../answer-tokens.ts';
import { leanFetch } from '../lean-fetch.ts';
import type { ModelMaker } from '../open-chat-model.ts';

/** Reasoning models take no temperature, and their thoughts count as tokens of the answer. */
const REASONING = /^(?:o\d|gpt-[5-9](?!-chat))/;

/** OpenAI's chat completions, which many other servers speak too. */
export const openai: ModelMaker = (model, { apiKey, baseUrl }) => {
  const limits = (temperature: number) =>
    REASONING.test(model) ? {} : { temperature, maxTokens: ANSWER_TOKENS };
  return (temperature) =>
    new ChatOpenAICompletions({
      model,
      ...limits(temperature),
      // The library refuses to be without a key; servers that take none do not look at it.
      apiKey: apiKey || 'none',
      maxRetries: 0,
      streamUsage: true,
      configuration: {
        baseURL: baseUrl,
        organization: null,
        project: null,
        logLevel: 'off',
        fetch: leanFetch,
      },
    });
};
