/** Whose chat models can be used. `openai-compatible` is any server with OpenAI's chat completions. */
export const providerNames = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'ollama',
  'openai-compatible',
] as const;

export type ProviderName = (typeof providerNames)[number];
