/** How long a model should think. `none` and `minimal` are accepted by some models only. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high'] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** How Parley reaches a provider. */
export interface KnownProvider {
  /** `openai` is the chat completions API, which Parley speaks itself; the others are spoken by LangChain's packages. */
  readonly api: 'openai' | 'langchain';
  /**
   * The base URL. It is always set for the packages that are part of Parley, because they would otherwise read their
   * own variables.
   */
  readonly baseUrl?: string;
  /** The variables without which it cannot be used. */
  readonly required?: readonly string[];
  /** The provider whose variables it has; itself if absent. */
  readonly variablesOf?: string;
}

const openai = (baseUrl: string | undefined, ...required: readonly string[]): KnownProvider => ({
  api: 'openai',
  ...(baseUrl !== undefined && { baseUrl }),
  required,
});
const google: KnownProvider = {
  api: 'langchain',
  baseUrl: 'https://generativelanguage.googleapis.com',
  required: ['GOOGLE_API_KEY'],
};
const mistral: KnownProvider = {
  api: 'langchain',
  baseUrl: 'https://api.mistral.ai',
  required: ['MISTRAL_API_KEY'],
};
/** The package reads the provider's usual variables, such as AWS_REGION, unless those of Parley are set. */
const byPackage: KnownProvider = { api: 'langchain' };

/**
 * The providers by name: all that LangChain's `initChatModel` knows, and well-known servers with OpenAI's chat completions.
 * The variables of a provider are its name in upper case with `_API_KEY` and `_BASE_URL`.
 */
export const PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  openai: openai('https://api.openai.com/v1', 'OPENAI_API_KEY'),
  'openai-compatible': openai(undefined, 'OPENAI_COMPATIBLE_BASE_URL'),
  azure_openai: openai(undefined, 'AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_API_KEY'),
  anthropic: { api: 'langchain', baseUrl: 'https://api.anthropic.com', required: ['ANTHROPIC_API_KEY'] },
  google,
  'google-genai': { ...google, variablesOf: 'google' },
  mistral,
  mistralai: { ...mistral, variablesOf: 'mistral' },
  ollama: { api: 'langchain', baseUrl: 'http://127.0.0.1:11434' },
  cohere: byPackage,
  bedrock: byPackage,
  aws: byPackage,
  'google-vertexai': byPackage,
  'google-vertexai-web': byPackage,
  openrouter: openai('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  groq: openai('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  together: openai('https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  fireworks: openai('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  deepseek: openai('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  xai: openai('https://api.x.ai/v1', 'XAI_API_KEY'),
  cerebras: openai('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  perplexity: openai('https://api.perplexity.ai', 'PERPLEXITY_API_KEY'),
  langsmith: openai('https://gateway.smith.langchain.com/v1', 'LANGSMITH_API_KEY'),
  nvidia: openai('https://integrate.api.nvidia.com/v1', 'NVIDIA_API_KEY'),
  deepinfra: openai('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  huggingface: openai('https://router.huggingface.co/v1', 'HUGGINGFACE_API_KEY'),
  moonshot: openai('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  litellm: openai('http://127.0.0.1:4000/v1'),
  vllm: openai('http://127.0.0.1:8000/v1'),
  lmstudio: openai('http://127.0.0.1:1234/v1'),
  llamacpp: openai('http://127.0.0.1:8080/v1'),
};

/**
 * The form in which a server takes passages to put in order: `POST /rerank` as Cohere, Voyage, Jina or Text Embeddings
 * Inference have it.
 */
export type RerankApi = 'cohere' | 'voyage' | 'jina' | 'tei';

/** How Parley reaches a provider that puts passages in order. */
interface RerankProvider extends Pick<KnownProvider, 'baseUrl' | 'required'> {
  readonly api: RerankApi;
}

/** The providers that put passages in order, by name. Each server that the environment names has Cohere's form. */
export const RERANKERS: Readonly<Record<string, RerankProvider>> = {
  cohere: { api: 'cohere', baseUrl: 'https://api.cohere.com/v2', required: ['COHERE_API_KEY'] },
  voyage: { api: 'voyage', baseUrl: 'https://api.voyageai.com/v1', required: ['VOYAGE_API_KEY'] },
  jina: { api: 'jina', baseUrl: 'https://api.jina.ai/v1', required: ['JINA_API_KEY'] },
  'openai-compatible': { api: 'cohere', required: ['OPENAI_COMPATIBLE_BASE_URL'] },
  litellm: { api: 'cohere', baseUrl: 'http://127.0.0.1:4000/v1' },
  vllm: { api: 'cohere', baseUrl: 'http://127.0.0.1:8000/v1' },
  llamacpp: { api: 'cohere', baseUrl: 'http://127.0.0.1:8080/v1' },
  tei: { api: 'tei', required: ['TEI_BASE_URL'] },
};

/** How Parley reaches a provider that writes down recordings: `POST /audio/transcriptions` as OpenAI has it. */
type TranscriptionProvider = Pick<KnownProvider, 'baseUrl' | 'required'>;

/** The providers that write down recordings, by name, and each server that the environment names. */
export const TRANSCRIBERS: Readonly<Record<string, TranscriptionProvider>> = Object.fromEntries(
  ['openai', 'openai-compatible', 'azure_openai', 'groq', 'together', 'deepinfra', 'litellm', 'vllm'].map(
    (name) => [name, PROVIDERS[name] ?? {}],
  ),
);

/** The APIs of embedding models. */
export type EmbeddingApiName =
  | 'openai'
  | 'ollama'
  | 'google'
  | 'mistral'
  | 'cohere'
  | 'voyage'
  | 'jina'
  | 'tei'
  | 'bedrock';

/** How Parley reaches a provider of embedding models. */
interface EmbeddingProvider extends Pick<KnownProvider, 'baseUrl' | 'required' | 'variablesOf'> {
  readonly api: EmbeddingApiName;
}

const like = (name: string): EmbeddingProvider => {
  const { baseUrl, required } = PROVIDERS[name] ?? {};
  return {
    api: 'openai',
    ...(baseUrl !== undefined && { baseUrl }),
    ...(required !== undefined && { required }),
  };
};
const googleEmbeddings: EmbeddingProvider = { ...google, api: 'google' };
const mistralEmbeddings: EmbeddingProvider = { ...mistral, api: 'mistral' };

/** The providers of embedding models, by name. Each server that the environment names has OpenAI's API. */
export const EMBEDDERS: Readonly<Record<string, EmbeddingProvider>> = {
  openai: like('openai'),
  'openai-compatible': like('openai-compatible'),
  azure_openai: like('azure_openai'),
  google: googleEmbeddings,
  'google-genai': { ...googleEmbeddings, variablesOf: 'google' },
  mistral: mistralEmbeddings,
  mistralai: { ...mistralEmbeddings, variablesOf: 'mistral' },
  ollama: { api: 'ollama', baseUrl: 'http://127.0.0.1:11434' },
  cohere: { api: 'cohere', baseUrl: 'https://api.cohere.com/v2', required: ['COHERE_API_KEY'] },
  voyage: { api: 'voyage', baseUrl: 'https://api.voyageai.com/v1', required: ['VOYAGE_API_KEY'] },
  jina: { api: 'jina', baseUrl: 'https://api.jina.ai/v1', required: ['JINA_API_KEY'] },
  tei: { api: 'tei', required: ['TEI_BASE_URL'] },
  bedrock: { api: 'bedrock', required: ['BEDROCK_API_KEY', 'BEDROCK_BASE_URL'] },
  openrouter: like('openrouter'),
  together: like('together'),
  fireworks: like('fireworks'),
  nvidia: like('nvidia'),
  deepinfra: like('deepinfra'),
  litellm: like('litellm'),
  vllm: like('vllm'),
  lmstudio: like('lmstudio'),
  llamacpp: like('llamacpp'),
};

/** The variables of a provider in the environment. */
export interface ProviderVariables {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Whether it is a server with OpenAI's chat completions that the environment names. */
  readonly isServer?: boolean;
}

/** A variable that belongs to a provider. */
interface ProviderVariable {
  /** The provider as `findVariables` finds it. */
  readonly key: string;
  readonly field: 'apiKey' | 'baseUrl';
  readonly isServer: boolean;
}

const NAMED = /^OPENAI_COMPATIBLE_(API_KEY|BASE_URL)_([A-Z][A-Z0-9_]*)$/;
const OF_KNOWN = /^([A-Z][A-Z_]*)_(API_KEY|BASE_URL)$/;

/**
 * Returns which provider a variable belongs to: `GROQ_API_KEY` to `groq`, `OPENAI_COMPATIBLE_BASE_URL_LAB` to the server
 * `lab`; null for other variables.
 */
export function parseProviderVariable(variable: string): ProviderVariable | null {
  const named = NAMED.exec(variable);
  if (named !== null) {
    const [, kind, name = ''] = named;
    return { key: name.toLowerCase(), field: kind === 'API_KEY' ? 'apiKey' : 'baseUrl', isServer: true };
  }
  const [, prefix = '', kind] = OF_KNOWN.exec(variable) ?? [];
  const key = prefix.toLowerCase();
  if (![PROVIDERS, EMBEDDERS, RERANKERS].flatMap(Object.keys).some((name) => toKey(name) === key))
    return null;
  return { key, field: kind === 'API_KEY' ? 'apiKey' : 'baseUrl', isServer: false };
}

/** Returns the variables of a provider. The names of variables have no hyphens. */
export function findVariables(
  all: Readonly<Record<string, ProviderVariables>>,
  provider: string,
): ProviderVariables | undefined {
  return all[toKey(PROVIDERS[provider]?.variablesOf ?? provider)];
}

/**
 * Returns the provider whose key an owner may bring for a model of `provider`, under its first name; null if there is none:
 * the provider needs no key, or its address is the operator's.
 */
export function keyProvider(
  all: Readonly<Record<string, ProviderVariables>>,
  provider: string,
): string | null {
  const known = PROVIDERS[provider];
  if (known?.baseUrl === undefined || findVariables(all, provider)?.isServer === true) return null;
  if (known.required?.some((name) => name.endsWith('_API_KEY')) !== true) return null;
  return known.variablesOf ?? provider;
}

function toKey(provider: string): string {
  return provider.replaceAll('-', '_');
}
