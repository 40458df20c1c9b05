import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import type { ChatModel } from './chat-model.ts';
import { CircuitBreaker, type CountCalls } from './circuit-breaker.ts';
import { type ModelChoice, nameOf, readModelChoice } from './model-choice.ts';
import { openChatModel } from './open-chat-model.ts';
import { providerSettings } from './provider-settings.ts';

/** A model with what is known of how it does. */
export interface PooledModel {
  readonly model: ChatModel;
  readonly breaker: CircuitBreaker;
  /** Never to be logged, whatever the provider says. */
  readonly apiKey: string;
}

export interface ModelPoolOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly count?: CountCalls;
}

/** The models of this process, each opened once. */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  readonly #opened = new Map<string, Promise<PooledModel>>();
  readonly #ignored = new Set<string>();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /** The models in the order in which to try them: a workspace's own choice, then those of the installation. */
  async inOrder(first: string | null): Promise<readonly PooledModel[]> {
    const { LLM_MODELS: configured } = this.#options.config;
    const choice = first === null ? null : readModelChoice(first);
    const others = choice === null ? configured : configured.filter((other) => nameOf(other) !== first);
    const choices = choice === null ? others : [choice, ...others];
    const models = await Promise.all(choices.map((each) => this.#open(each)));
    return models.filter((model) => model !== null);
  }

  /** Null where the provider is not configured: the setting of a workspace may be older than the configuration. */
  #open(choice: ModelChoice): Promise<PooledModel> | null {
    const name = nameOf(choice);
    const { config, clock, log, count } = this.#options;
    const settings = providerSettings(config, choice.provider);
    if (settings === null) {
      if (!this.#ignored.has(name))
        log.warn({ model: name }, 'A workspace names a model that is not configured.');
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
