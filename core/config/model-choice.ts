/** A model in the configuration's notation, `provider:model`. */
export interface ModelChoice {
  /** A provider that Parley knows, or a server that the configuration names. */
  readonly provider: string;
  /** May contain colons itself: `ollama:llama3.2:3b`. */
  readonly model: string;
}

/** Returns null if the text is not `provider:model`. Whether the provider exists depends on the configuration. */
export function parseModelChoice(text: string): ModelChoice | null {
  const colon = text.indexOf(':');
  const provider = text.slice(0, Math.max(0, colon)).trim();
  const model = text.slice(colon + 1).trim();
  return !/^[a-z][a-z0-9_-]*$/.test(provider) || model === '' || /\s/u.test(model)
    ? null
    : { provider, model };
}

export function modelName({ provider, model }: ModelChoice): string {
  return `${provider}:${model}`;
}

/** The most models that a workspace can choose. */
const MAX_CHAIN = 8;

/** Parses models as `LLM_MODELS` has them, separated by commas. Null if one of them is not `provider:model`, or there are more than 8. */
export function parseModelChain(text: string): readonly ModelChoice[] | null {
  const choices = text.split(',').map((part) => parseModelChoice(part.trim()));
  const chain = choices.filter((choice) => choice !== null);
  return chain.length < choices.length || chain.length > MAX_CHAIN ? null : chain;
}
