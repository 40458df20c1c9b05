import type { ChatModel } from './chat-model.ts';
import { forgiveTools } from './forgive-tools.ts';
import type { MakeModel } from './lang-chain-model.ts';
import { type ModelChoice, nameOf } from './model-choice.ts';
import type { ProviderName } from './provider-name.ts';
import type { ProviderSettings } from './provider-settings.ts';

type Open = (choice: ModelChoice, settings: ProviderSettings) => Promise<ChatModel>;
export type ModelMaker = (model: string, settings: ProviderSettings) => MakeModel;

const openai: Open = async (choice, settings) => {
  const { openaiModel } = await import('./openai/openai-model.ts');
  return openaiModel(choice, settings);
};

/** Loaded when they are needed: without a model, or with one, the others cost no memory. */
const openers: Record<ProviderName, Open> = {
  openai,
  'openai-compatible': openai,
  anthropic: byLangChain(async () => (await import('./providers/anthropic.ts')).anthropic),
  google: byLangChain(async () => (await import('./providers/google.ts')).google),
  mistral: byLangChain(async () => (await import('./providers/mistral.ts')).mistral),
  ollama: byLangChain(async () => (await import('./providers/ollama.ts')).ollama),
};

function byLangChain(load: () => Promise<ModelMaker>): Open {
  return async (choice, settings) => {
    const [make, { langChainModel }] = await Promise.all([load(), import('./lang-chain-model.ts')]);
    return langChainModel(nameOf(choice), make(choice.model, settings));
  };
}

/** Opens no connection: a wrong key or address is found by the first question. */
export async function openChatModel(choice: ModelChoice, settings: ProviderSettings): Promise<ChatModel> {
  return forgiveTools(await openers[choice.provider](choice, settings));
}
