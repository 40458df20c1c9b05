import { ChatOllama } from '@langchain/ollama';
import type { ModelMaker } from '../lang-chain-model.ts';

export const ollama: ModelMaker =
  (model, { baseUrl }) =>
  ({ temperature, maxTokens }) =>
    new ChatOllama({ model, temperature, numPredict: maxTokens, baseUrl, maxRetries: 0 });
