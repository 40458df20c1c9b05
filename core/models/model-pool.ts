import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { type ModelChoice, modelName, parseModelChain } from '../config/model-choice.ts';
import type { ChatModel, ChatRequest, ModelPiece } from './chat-model.ts';
import { CircuitBreaker, type CountCalls } from './circuit-breaker.ts';
import { toProviderFailure } from './provider-failure.ts';
import { type OwnerKeys, ownSettings, type ProviderSettings, providerSettings } from './provider-settings.ts';
import { Thinking, withoutThoughts } from './thinking.ts';

/** A model with its circuit breaker. */
export interface PooledModel {
  readonly model: ChatModel;
  readonly breaker: CircuitBreaker;
  /** Must never be logged. Providers may repeat it in error messages. */
  readonly apiKey: string;
  /** The owner whose key it is; null for the installation's. */
  readonly ownerId: string | null;
}

/** An owner with the keys that they brought. */
export interface KeyHolder {
  readonly ownerId: string;
  readonly keys: OwnerKeys;
}

/** Models in the order in which to try them. */
export type ModelSource = Pick<ModelPool, 'inOrder'>;

/** As many models of owners stay open. */
const MAX_OWN = 2_000;

export interface ModelPoolOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly count?: CountCalls;
}

/**
 * The models of this process. Each is opened once with the key of the installation, and once with the key of each owner who
 * brought one. Those of an owner have circuit breakers of their own, so that their faults pause nothing of others.
 */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  readonly #opened = new Map<string, Promise<PooledModel>>();
  readonly #own = new LRUCache<string, Promise<PooledModel>>({ max: MAX_OWN });
  readonly #ignored = new Set<string>();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /**
   * Returns the models in the order in which to try them: the workspace's own choice, then those of the installation. A model
   * of a provider whose key `holder` has is called with that key.
   */
  async inOrder(first: string | null, holder: KeyHolder | null = null): Promise<readonly PooledModel[]> {
    const { LLM_MODELS: configured } = this.#options.config;
    const chosen = first === null ? [] : (parseModelChain(first) ?? []);
    const names = new Set(chosen.map(modelName));
    const others = configured.filter((other) => !names.has(modelName(other)));
    const models = await Promise.all([
      ...chosen.map((choice) => this.#openOptional(choice, holder)),
      ...others.map((choice) => this.#openOwn(choice, holder) ?? this.#open(choice)),
    ]);
    return models.filter((model) => model !== null);
  }

  /** Returns null if the package of a workspace's model is missing: the models of the installation still answer. */
  async #openOptional(choice: ModelChoice, holder: KeyHolder | null): Promise<PooledModel | null> {
    try {
      return await (this.#openOwn(choice, holder) ?? this.#open(choice));
    } catch (error) {
      this.#ignore(choice, { err: error }, 'workspace model not loaded');
      return null;
    }
  }

  /** Returns null unless the owner brought a key for it. */
  #openOwn(choice: ModelChoice, holder: KeyHolder | null): Promise<PooledModel> | null {
    if (holder === null) return null;
    const { config, clock } = this.#options;
    const settings = ownSettings(config, choice, holder.keys);
    if (settings === null) return null;
    const { ownerId } = holder;
    // Another key is another account, which may work where the one before failed.
    const place = JSON.stringify([ownerId, modelName(choice), settings.apiKey]);
    const opened =
      this.#own.get(place) ??
      openChatModel(choice, settings).then((model) => ({
        ...{ model, ownerId, apiKey: settings.apiKey },
        breaker: new CircuitBreaker(clock),
      }));
    this.#own.set(place, opened);
    return opened;
  }

  /**
   * Returns null if the provider is not configured, because a workspace's setting may be older than the configuration.
   */
  #open(choice: ModelChoice): Promise<PooledModel> | null {
    const name = modelName(choice);
    const { config, clock, count } = this.#options;
    const settings = providerSettings(config, choice);
    if (settings === null) {
      this.#ignore(choice, {}, 'workspace model not configured');
      return null;
    }
    let opened = this.#opened.get(name);
    if (opened === undefined) {
      opened = openChatModel(choice, settings).then((model) => {
        const breaker = new CircuitBreaker(clock, (outcome) => count?.(name, outcome));
        return { model, breaker, apiKey: settings.apiKey, ownerId: null };
      });
      this.#opened.set(name, opened);
    }
    return opened;
  }

  #ignore(choice: ModelChoice, facts: object, message: string): void {
    const name = modelName(choice);
    if (!this.#ignored.has(name)) this.#options.log.warn({ model: name, ...facts }, message);
    this.#ignored.add(name);
  }
}

/**
 * Creates a model without opening a connection. A wrong key or URL is detected by the first request. Throws a StartError
 * if the provider's package is missing. Packages are loaded on first use, so that unused ones take no memory.
 */
export async function openChatModel(choice: ModelChoice, settings: ProviderSettings): Promise<ChatModel> {
  const thinking = new Thinking(choice.model);
  const model = await (settings.api === 'langchain' ? openByPackage : openDirectly)(
    choice,
    settings,
    thinking,
  );
  return withoutToolsFallback(withoutThoughts(model, thinking));
}

type Open = (choice: ModelChoice, settings: ProviderSettings, thinking: Thinking) => Promise<ChatModel>;

const openDirectly: Open = async (choice, settings, thinking) => {
  const { openaiModel } = await import('./openai/openai-model.ts');
  return openaiModel(choice, settings, thinking);
};

const openByPackage: Open = async (choice, settings, thinking) => {
  const [{ loadLangChainModel }, { langChainModel }] = await Promise.all([
    import('./providers/lang-chain-provider.ts'),
    import('./lang-chain-model.ts'),
  ]);
  return langChainModel(modelName(choice), await loadLangChainModel(choice, settings), thinking);
};

/** Wraps a model so that after it rejects a request with tools, as small models do, it is called without tools. */
export function withoutToolsFallback(model: ChatModel): ChatModel {
  let supportsTools = true;
  async function* tryTools(request: ChatRequest, bare: ChatRequest): AsyncGenerator<ModelPiece> {
    let hasStarted = false;
    try {
      for await (const piece of model.write(request)) {
        hasStarted = true;
        yield piece;
      }
    } catch (error) {
      if (hasStarted || request.signal.aborted || !mayRefuseTools(error)) throw error;
      for await (const piece of model.write(bare)) {
        supportsTools = false;
        yield piece;
      }
    }
  }
  return {
    name: model.name,
    get thinks() {
      return model.thinks;
    },
    write(request) {
      const bare = { ...request, tools: undefined };
      return supportsTools && (request.tools ?? []).length > 0 ? tryTools(request, bare) : model.write(bare);
    },
  };
}

/** OpenRouter answers `404 No endpoints found that support tool use`. */
function mayRefuseTools(error: unknown): boolean {
  const { kind, cause } = toProviderFailure(error);
  return kind === 'refused' || (kind === 'misconfigured' && /\btools?\b/i.test(String(cause)));
}
