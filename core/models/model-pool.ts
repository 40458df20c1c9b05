import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { type ModelChoice, modelName, parseModelChoice } from '../config/model-choice.ts';
import type { ChatModel, ChatRequest, ModelPiece } from './chat-model.ts';
import { CircuitBreaker, type CountCalls } from './circuit-breaker.ts';
import { toProviderFailure } from './provider-failure.ts';
import { type ProviderSettings, providerSettings } from './provider-settings.ts';
import { Thinking, withoutThoughts } from './thinking.ts';

/** A model with its circuit breaker. */
export interface PooledModel {
  readonly model: ChatModel;
  readonly breaker: CircuitBreaker;
  /** Must never be logged. Providers may repeat it in error messages. */
  readonly apiKey: string;
}

export interface ModelPoolOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly count?: CountCalls;
}

/** The models of this process. Each is opened once. */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  readonly #opened = new Map<string, Promise<PooledModel>>();
  readonly #ignored = new Set<string>();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /** Returns the models in the order in which to try them: the workspace's own choice, then those of the installation. */
  async inOrder(first: string | null): Promise<readonly PooledModel[]> {
    const { LLM_MODELS: configured } = this.#options.config;
    const choice = first === null ? null : parseModelChoice(first);
    const others = choice === null ? configured : configured.filter((other) => modelName(other) !== first);
    const choices = choice === null ? others : [choice, ...others];
    const models = await Promise.all(
      choices.map((candidate) => (candidate === choice ? this.#openChoice(choice) : this.#open(candidate))),
    );
    return models.filter((model) => model !== null);
  }

  /** Returns null if the package of a workspace's model is missing: the models of the installation still answer. */
  async #openChoice(choice: ModelChoice): Promise<PooledModel | null> {
    try {
      return await this.#open(choice);
    } catch (error) {
      const name = modelName(choice);
      if (!this.#ignored.has(name))
        this.#options.log.warn({ model: name, err: error }, 'workspace model not loaded');
      this.#ignored.add(name);
      return null;
    }
  }

  /**
   * Returns null if the provider is not configured, because a workspace's setting may be older than the configuration.
   */
  #open(choice: ModelChoice): Promise<PooledModel> | null {
    const name = modelName(choice);
    const { config, clock, log, count } = this.#options;
    const settings = providerSettings(config, choice);
    if (settings === null) {
      if (!this.#ignored.has(name)) log.warn({ model: name }, 'workspace model not configured');
      this.#ignored.add(name);
      return null;
    }
    let opened = this.#opened.get(name);
    if (opened === undefined) {
      opened = openChatModel(choice, settings).then((model) => {
        const breaker = new CircuitBreaker(clock, (outcome) => count?.(name, outcome));
        return { model, breaker, apiKey: settings.apiKey };
      });
      this.#opened.set(name, opened);
    }
    return opened;
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
