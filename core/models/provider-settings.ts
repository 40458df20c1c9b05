import { AppError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import { type ModelChoice, parseModelChain, parseModelChoice } from '../config/model-choice.ts';
import {
  EMBEDDERS,
  type EmbeddingApiName,
  findVariables,
  keyProvider,
  PROVIDERS,
  RERANKERS,
  type ReasoningEffort,
  type RerankApi,
} from '../config/provider-table.ts';

/** How to reach a provider. */
export interface ProviderSettings {
  /** Empty if the provider needs no key. */
  readonly apiKey: string;
  /** Without a trailing slash; it may have a query. Empty if the provider's package knows it. */
  readonly baseUrl: string;
  /** The API that the provider speaks; OpenAI's chat completions if absent. */
  readonly api?: 'openai' | 'langchain';
  /** Whether the key goes into the header `api-key` instead of `authorization`. */
  readonly isAzure?: boolean;
  readonly effort?: ReasoningEffort | undefined;
}

/** Returns null if the provider is not configured. */
export function providerSettings(config: Config, { provider, model }: ModelChoice): ProviderSettings | null {
  const effort = config.LLM_REASONING_EFFORT;
  if (provider === 'azure_openai') return azureSettings(config, model);
  const known = PROVIDERS[provider];
  const {
    apiKey,
    baseUrl = known?.baseUrl,
    isServer = false,
  } = { ...findVariables(config.PROVIDERS, provider) };
  const api = isServer ? 'openai' : known?.api;
  const needsKey = !isServer && known?.required?.some((name) => name.endsWith('_API_KEY')) === true;
  if (api === undefined || (needsKey && apiKey === undefined)) return null;
  if (api === 'openai' && baseUrl === undefined) return null;
  return { apiKey: apiKey ?? '', baseUrl: baseUrl ?? '', api, effort };
}

/** Without a version, Azure has OpenAI's addresses; with one, the model is in the address. */
function azureSettings(config: Config, deployment: string): ProviderSettings | null {
  const {
    AZURE_OPENAI_ENDPOINT: endpoint,
    AZURE_OPENAI_API_KEY: apiKey,
    AZURE_OPENAI_API_VERSION: version,
  } = config;
  if (endpoint === undefined || apiKey === undefined) return null;
  const baseUrl =
    version === undefined
      ? `${endpoint}/openai/v1`
      : `${endpoint}/openai/deployments/${encodeURIComponent(deployment)}?api-version=${version}`;
  return { apiKey, baseUrl, api: 'openai', isAzure: true, effort: config.LLM_REASONING_EFFORT };
}

/** How to reach a provider of embedding models. */
export interface EmbeddingSettings extends Pick<ProviderSettings, 'apiKey' | 'baseUrl' | 'isAzure'> {
  readonly api: EmbeddingApiName;
  /** Whether the provider itself serves the API, with all that it documents; other servers have less. */
  readonly isOriginal: boolean;
}

/** The name of the built-in embedding model in the settings of a workspace. */
export const BUILT_IN_EMBEDDINGS = 'built-in';

/** How to reach a provider of embedding models; null if it is not configured. */
export function embeddingSettings(config: Config, choice: ModelChoice): EmbeddingSettings | null {
  const known = EMBEDDERS[choice.provider];
  const variables = findVariables(config.PROVIDERS, choice.provider);
  if (choice.provider === 'azure_openai') {
    const azure = azureSettings(config, choice.model);
    return azure === null ? null : { ...azure, api: 'openai', isOriginal: true };
  }
  const api = variables?.isServer === true ? 'openai' : known?.api;
  const { apiKey, baseUrl = known?.baseUrl } = { ...variables };
  const needsKey = known?.required?.some((name) => name.endsWith('_API_KEY')) === true;
  if (api === undefined || baseUrl === undefined || (needsKey && apiKey === undefined)) return null;
  const isOriginal = api !== 'openai' || choice.provider === 'openai';
  return { apiKey: apiKey ?? '', baseUrl, api, isOriginal };
}

/** Returns the configured embedding model of a provider; null for the built-in one. */
export function findEmbeddingModel(
  config: Config,
): { readonly choice: ModelChoice; readonly settings: EmbeddingSettings } | null {
  const choice = config.EMBEDDING_MODEL;
  const settings = choice === undefined ? null : embeddingSettings(config, choice);
  return choice === undefined || settings === null ? null : { choice, settings };
}

/** A model that puts passages in order. */
export interface RerankModel {
  readonly choice: ModelChoice;
  readonly settings: ProviderSettings;
  readonly api: RerankApi;
}

/** Returns the configured model that puts passages in order; null if there is none. */
export function findRerankModel({ RERANK_MODEL: choice, PROVIDERS: variables }: Config): RerankModel | null {
  if (choice === undefined) return null;
  const known = RERANKERS[choice.provider];
  const { apiKey = '', baseUrl = known?.baseUrl } = { ...findVariables(variables, choice.provider) };
  if (baseUrl === undefined) return null;
  return { choice, settings: { apiKey, baseUrl }, api: known?.api ?? 'cohere' };
}

/** A model with the way to its provider. */
export interface ReachableModel {
  readonly choice: ModelChoice;
  readonly settings: ProviderSettings;
}

/** Returns the configured model for recordings or for pictures; null if there is none. */
export function findMediaModel(
  config: Config,
  variable: 'TRANSCRIPTION_MODEL' | 'VISION_MODEL',
): ReachableModel | null {
  const choice = config[variable];
  const settings = choice === undefined ? null : providerSettings(config, choice);
  return choice === undefined || settings === null ? null : { choice, settings };
}

/** Keys of an owner, by the provider as `keyProvider` names it. They must never be logged. */
export type OwnerKeys = ReadonlyMap<string, string>;

/** How to reach a provider with the key of an owner, at the installation's address of it; null if they brought none. */
export function ownSettings(config: Config, choice: ModelChoice, keys: OwnerKeys): ProviderSettings | null {
  const provider = keyProvider(config.PROVIDERS, choice.provider);
  const apiKey = provider === null ? undefined : keys.get(provider);
  if (provider === null || apiKey === undefined) return null;
  const variables = { ...findVariables(config.PROVIDERS, provider), apiKey };
  return providerSettings({ ...config, PROVIDERS: { ...config.PROVIDERS, [provider]: variables } }, choice);
}

/** Throws `invalid_settings` if one of a workspace's models can be used neither with the installation's key nor with the owner's. */
export function requireModel(config: Config, model: string | null | undefined, keys: OwnerKeys): void {
  if (model === null || model === undefined) return;
  const isUsable = (choice: ModelChoice) =>
    (ownSettings(config, choice, keys) ?? providerSettings(config, choice)) !== null;
  if (parseModelChain(model)?.every(isUsable) === true) return;
  throw new AppError('invalid_settings', {
    detail: `settings.model must be provider:model, or several of them separated by commas, with providers of which there is a key, not ${JSON.stringify(model)}.`,
  });
}

/** Throws `invalid_settings` if a workspace's embedding model cannot be used in this installation. */
export function requireEmbeddingModel(config: Config, model: string | null | undefined): void {
  if (model === null || model === undefined || model === BUILT_IN_EMBEDDINGS) return;
  const choice = parseModelChoice(model);
  if (choice !== null && embeddingSettings(config, choice) !== null) return;
  throw new AppError('invalid_settings', {
    detail: `settings.embedding_model must be ${BUILT_IN_EMBEDDINGS} or provider:model with a configured provider, not ${JSON.stringify(model)}.`,
  });
}
