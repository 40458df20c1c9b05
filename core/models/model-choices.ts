import type { Config } from '../config/config.ts';
import { type ModelChoice, modelName, parseModelChain } from '../config/model-choice.ts';
import { keyProvider } from '../config/provider-table.ts';
import { type OwnerKeys, ownSettings, providerSettings } from './provider-settings.ts';

/** A provider of language models whose key an owner can bring, for people. */
interface KeyProvider {
  readonly title: string;
  /** Models to begin with, as the provider names them, the cheapest first. Each other model can be named too. */
  readonly models: readonly string[];
}

/** The providers whose key an owner can bring, the best known first. */
export const KEY_PROVIDERS: Readonly<Record<string, KeyProvider>> = {
  openai: { title: 'OpenAI', models: ['gpt-4o-mini', 'gpt-5-mini', 'gpt-5'] },
  anthropic: { title: 'Anthropic', models: ['claude-haiku-4-5', 'claude-sonnet-4-5'] },
  google: { title: 'Google', models: ['gemini-2.5-flash', 'gemini-2.5-pro'] },
  mistral: { title: 'Mistral', models: ['mistral-small-latest', 'mistral-medium-latest'] },
  openrouter: { title: 'OpenRouter', models: ['openai/gpt-5-mini'] },
  groq: { title: 'Groq', models: ['llama-3.3-70b-versatile'] },
  deepseek: { title: 'DeepSeek', models: ['deepseek-chat'] },
  together: { title: 'Together AI', models: [] },
  fireworks: { title: 'Fireworks', models: [] },
  xai: { title: 'xAI', models: [] },
  cerebras: { title: 'Cerebras', models: [] },
  perplexity: { title: 'Perplexity', models: ['sonar'] },
  nvidia: { title: 'NVIDIA', models: [] },
  deepinfra: { title: 'DeepInfra', models: [] },
  huggingface: { title: 'Hugging Face', models: [] },
  moonshot: { title: 'Moonshot', models: [] },
  langsmith: { title: 'LangSmith', models: [] },
};

/** Whose key a model is called with. `none`: there is no key, so the model is left out. */
export type KeySource = 'own' | 'installation' | 'none';

/** A model of a chain. */
export interface ChainedModel {
  /** `provider:model`. */
  readonly model: string;
  readonly key: KeySource;
}

/** The models with which a workspace answers, each list in the order in which they are tried. */
export interface ModelChain {
  /** Those that the workspace chose; empty if it chose none. */
  readonly chosen: readonly ChainedModel[];
  /** Those of the installation, which follow. */
  readonly installation: readonly ChainedModel[];
}

/** Returns the models with which a workspace answers. `model` is its choice. */
export function describeChain(config: Config, model: string | undefined, keys: OwnerKeys): ModelChain {
  const describe = (choice: ModelChoice) => ({
    model: modelName(choice),
    key: findKeySource(config, choice, keys),
  });
  const chosen = model === undefined ? [] : (parseModelChain(model) ?? []).map(describe);
  const isChosen = (name: string) => chosen.some((other) => other.model === name);
  return {
    chosen,
    installation: config.LLM_MODELS.map(describe).filter((other) => !isChosen(other.model)),
  };
}

/** Returns the providers whose key an owner can bring, and whether the installation has one of each. */
export function listKeyProviders(config: Config) {
  return Object.entries(KEY_PROVIDERS)
    .filter(([provider]) => keyProvider(config.PROVIDERS, provider) === provider)
    .map(([provider, { title, models }]) => ({
      ...{ provider, title, models },
      hasInstallationKey: providerSettings(config, { provider, model: 'any' }) !== null,
    }));
}

function findKeySource(config: Config, choice: ModelChoice, keys: OwnerKeys): KeySource {
  if (ownSettings(config, choice, keys) !== null) return 'own';
  // Without models of its own, the installation answers by none, unless an owner brought a key.
  const isOpen = config.LLM_MODELS.length > 0 || keys.size > 0;
  return isOpen && providerSettings(config, choice) !== null ? 'installation' : 'none';
}
