import { ChatOllama } from '@langchain/ollama';
import { ANSWER_TOKENS } from '../chat-model.ts';
import type { ModelMaker } from '../lang-chain-model.ts';

export const ollama: ModelMaker =
  (model, { baseUrl }) =>
  (temperature) =>
    new ChatOllama({ model, temperature, numPredict: ANSWER_TOKENS, baseUrl, maxRetries: 0 });
