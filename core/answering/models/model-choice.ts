/** The supported providers. `openai-compatible` is any server with OpenAI's chat completions API. */
export const providerNames = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'ollama',
  'openai-compatible',
] as const;

export type ProviderName = (typeof providerNames)[number];

/** A model in the configuration's notation, `provider:model`. */
export interface ModelChoice {
  readonly provider: ProviderName;
  /** May contain colons itself: `ollama:llama3.2:3b`. */
  readonly model: string;
}

/** Returns null if the text is not `provider:model` with a known provider. */
export function parseModelChoice(text: string): ModelChoice | null {
  const colon = text.indexOf(':');
  const provider = providerNames.find((name) => name === text.slice(0, colon).trim());
  const model = text.slice(colon + 1).trim();
  return provider === undefined || model === '' || /\s/u.test(model) ? null : { provider, model };
}

export function modelName({ provider, model }: ModelChoice): string {
  return `${provider}:${model}`;
}

/** The variable that each provider requires; Ollama requires none. */
export const REQUIRED_VARIABLE = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  mistral: 'MISTRAL_API_KEY',
  ollama: null,
  'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
} as const satisfies Record<ProviderName, string | null>;
