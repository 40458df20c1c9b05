import { ChatOllama } from '@langchain/ollama';
import { ANSWER_TOKENS } from '../answer-tokens.ts';
import type { ModelMaker } from '../open-chat-model.ts';

export const ollama: ModelMaker =
  (model, { baseUrl }) =>
  (temperature) =>
    new ChatOllama({ model, temperature, numPredict: ANSWER_TOKENS, baseUrl, maxRetries: 0 });
