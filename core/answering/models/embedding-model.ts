import type { Config } from '../../config.ts';
import type { ModelChoice } from './model-choice.ts';
import { type ProviderSettings, providerSettings } from './provider-settings.ts';

/** The provider's embedding model that is configured; null for the built-in one. */
export function embeddingModel(
  config: Config,
): { readonly choice: ModelChoice; readonly settings: ProviderSettings } | null {
  const choice = config.EMBEDDING_MODEL;
  const settings = choice === undefined ? null : providerSettings(config, choice.provider);
  return choice === undefined || settings === null ? null : { choice, settings };
}
