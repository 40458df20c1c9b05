import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { type ModelChoice, type ProviderName, parseModelChoice } from './model-choice.ts';

/** How long a model should think. `none` and `minimal` are accepted by some models only. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high'] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** The base URL and API key of a provider. */
export interface ProviderSettings {
  /** Empty if the provider needs no key. */
  readonly apiKey: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly effort?: ReasoningEffort | undefined;
}

type ProviderConfig = Pick<
  Config,
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'ANTHROPIC_API_KEY'
  | 'ANTHROPIC_BASE_URL'
  | 'GOOGLE_API_KEY'
  | 'GOOGLE_BASE_URL'
  | 'MISTRAL_API_KEY'
  | 'MISTRAL_BASE_URL'
  | 'OLLAMA_BASE_URL'
  | 'OPENAI_COMPATIBLE_API_KEY'
  | 'OPENAI_COMPATIBLE_BASE_URL'
>;

/**
 * Returns null if the provider is not configured. The base URL is always set, because the libraries would otherwise read
 * their own environment variables.
 */
export function providerSettings(config: ProviderConfig, provider: ProviderName): ProviderSettings | null {
  const values = readProvider(config, provider);
  const { apiKey, baseUrl } = values;
  return apiKey === undefined || baseUrl === undefined ? null : { apiKey, baseUrl };
}

function readProvider(config: ProviderConfig, provider: ProviderName): Partial<ProviderSettings> {
  switch (provider) {
    case 'openai':
      return settings(config.OPENAI_API_KEY, config.OPENAI_BASE_URL ?? 'https://api.openai.com/v1');
    case 'anthropic':
      return settings(config.ANTHROPIC_API_KEY, config.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com');
    case 'google':
      return settings(
        config.GOOGLE_API_KEY,
        config.GOOGLE_BASE_URL ?? 'https://generativelanguage.googleapis.com',
      );
    case 'mistral':
      return settings(config.MISTRAL_API_KEY, config.MISTRAL_BASE_URL ?? 'https://api.mistral.ai');
    case 'ollama':
      return settings('', config.OLLAMA_BASE_URL ?? 'http://127.0.0.1:11434');
    case 'openai-compatible':
      return settings(config.OPENAI_COMPATIBLE_API_KEY ?? '', config.OPENAI_COMPATIBLE_BASE_URL);
  }
}

function settings(apiKey: string | undefined, baseUrl: string | undefined): Partial<ProviderSettings> {
  return { ...(apiKey !== undefined && { apiKey }), ...(baseUrl !== undefined && { baseUrl }) };
}

/** Returns the configured embedding model of a provider; null for the built-in one. */
export function findEmbeddingModel(
  config: Config,
): { readonly choice: ModelChoice; readonly settings: ProviderSettings } | null {
  const choice = config.EMBEDDING_MODEL;
  const settings = choice === undefined ? null : providerSettings(config, choice.provider);
  return choice === undefined || settings === null ? null : { choice, settings };
}

/** Throws `invalid_settings` if a workspace's model cannot be used in this installation. */
export function requireModel(config: Config, model: string | null | undefined): void {
  if (model === null || model === undefined) return;
  const choice = parseModelChoice(model);
  if (choice !== null && providerSettings(config, choice.provider) !== null) return;
  throw new AppError('invalid_settings', {
    detail: `settings.model must be provider:model with a configured provider, not ${JSON.stringify(model)}.`,
  });
}
