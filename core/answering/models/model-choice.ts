import { type ProviderName, providerNames } from './provider-name.ts';

/** A model as it is written in the configuration: `provider:model`. */
export interface ModelChoice {
  readonly provider: ProviderName;
  /** May hold colons itself: `ollama:llama3.2:3b`. */
  readonly model: string;
}

/** Null where the text is not `provider:model` with a provider that is known. */
export function readModelChoice(text: string): ModelChoice | null {
  const colon = text.indexOf(':');
  const provider = providerNames.find((name) => name === text.slice(0, colon).trim());
  const model = text.slice(colon + 1).trim();
  return provider === undefined || model === '' || /\s/u.test(model) ? null : { provider, model };
}

export function nameOf({ provider, model }: ModelChoice): string {
  return `${provider}:${model}`;
}
