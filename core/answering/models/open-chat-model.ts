import type { ChatModel } from './chat-model.ts';
import { forgiveTools } from './forgive-tools.ts';
import { langChainModel, type MakeModel } from './lang-chain-model.ts';
import { type ModelChoice, nameOf } from './model-choice.ts';
import type { ProviderName } from './provider-name.ts';
import type { ProviderSettings } from './provider-settings.ts';

export type ModelMaker = (model: string, settings: ProviderSettings) => MakeModel;

/** Loaded when they are needed: without a model, or with one, the others cost no memory. */
const loadMaker: Record<ProviderName, () => Promise<ModelMaker>> = {
  openai: async () => (await import('./providers/openai.ts')).openai,
  'openai-compatible': async () => (await import('./providers/openai.ts')).openai,
  anthropic: async () => (await import('./providers/anthropic.ts')).anthropic,
  google: async () => (await import('./providers/google.ts')).google,
  mistral: async () => (await import('./providers/mistral.ts')).mistral,
  ollama: async () => (await import('./providers/ollama.ts')).ollama,
};

/** Opens no connection: a wrong key or address is found by the first question. */
export async function openChatModel(choice: ModelChoice, settings: ProviderSettings): Promise<ChatModel> {
  const make = await loadMaker[choice.provider]();
  return forgiveTools(langChainModel(nameOf(choice), make(choice.model, settings)));
}
