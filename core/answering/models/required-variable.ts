import type { ProviderName } from './provider-name.ts';

/** The variable without which a provider cannot be used; Ollama needs none. */
export const requiredVariable = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  mistral: 'MISTRAL_API_KEY',
  ollama: null,
  'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
} as const satisfies Record<ProviderName, string | null>;
