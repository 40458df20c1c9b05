import { LRUCache } from 'lru-cache';
import { createComplete } from '../../models/complete.ts';
import type { KeyHolder, ModelPool, ModelSource } from '../../models/model-pool.ts';
import type { WritingModels } from '../ask-request.ts';
import { ModelWriter, type ModelWriterOptions } from './model-writer.ts';

interface OwnerModelsOptions extends Omit<ModelWriterOptions, 'pool'> {
  readonly pool: ModelPool;
  /** The default time limit of a completion in milliseconds. */
  readonly timeoutMs: number;
}

interface Opened extends WritingModels {
  readonly source: ModelSource;
  /** Its keys are those of the latest question. */
  readonly holder: { current: KeyHolder };
}

/** As many owners keep their writers. */
const MAX_OWNERS = 500;

/** The writers of owners who brought keys of their own. */
export class OwnerModels {
  readonly #options: OwnerModelsOptions;
  readonly #opened = new LRUCache<string, Opened>({ max: MAX_OWNERS });

  constructor(options: OwnerModelsOptions) {
    this.#options = options;
  }

  /** Returns null if no model can be called, with the owner's keys or the installation's. */
  async find(holder: KeyHolder, model: string | null): Promise<WritingModels | null> {
    const { ownerId } = holder;
    const opened = this.#opened.get(ownerId) ?? this.#open(holder);
    opened.holder.current = holder;
    this.#opened.set(ownerId, opened);
    return (await opened.source.inOrder(model)).length === 0 ? null : opened;
  }

  #open(first: KeyHolder): Opened {
    const { pool, log, patience, timeoutMs } = this.#options;
    const holder = { current: first };
    const source: ModelSource = { inOrder: (model) => pool.inOrder(model, holder.current) };
    return {
      ...{ source, holder },
      writer: new ModelWriter({ pool: source, log, patience }),
      complete: createComplete({ pool: source, log, timeoutMs }),
    };
  }
}
