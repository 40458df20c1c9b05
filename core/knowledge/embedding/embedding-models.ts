import { type Kysely, type Selectable, sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { BUILT_IN_EMBEDDINGS } from '../../models/provider-settings.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { BUILT_IN_SCALE } from './cosine-scale.ts';
import type { CosineScale, Embedder, EmbedPassagesOptions, VectorSpace } from './embedder.ts';
import { findTraits } from './providers/known-models.ts';

/** Opens a model by its name, with the dimensions of its stored vectors; null if it is not configured. */
export type OpenModel = (name: string, dimensions: number | null) => Promise<Embedder | null>;

interface Dependencies {
  readonly database: Kysely<Tables>;
  /** The installation's model, already open. */
  readonly main: Embedder;
  /** The name of the built-in model, which may be another than the installation's. */
  readonly builtInName: string;
  readonly open: OpenModel;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

type ModelRow = Selectable<Tables['embedding_model']>;

const builtInSpace: VectorSpace = { id: 0, scale: null, isMultilingual: false };

/** pgvector's graph index takes `vector` up to 2,000 dimensions and `halfvec` up to 4,000. */
const MAX_INDEXED_DIMENSIONS = 4_000;
const MAX_WHOLE_DIMENSIONS = 2_000;

/**
 * The embedding models of an installation: the installation's own, which it is itself, and those of workspaces and of
 * vectors from before a change, which it opens when they are needed. Each provider's model has a number in the database,
 * and its scale is measured once.
 */
export class EmbeddingModels implements Embedder {
  readonly #dependencies: Dependencies;
  /** The opened models by number, except the installation's. */
  readonly #others = new Map<number, Promise<Embedder | null>>();
  #main: Embedder;
  #space: VectorSpace | null;
  #registering: Promise<Embedder> | null = null;

  private constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#main = dependencies.main;
    this.#space = dependencies.main.engine === 'remote' ? null : builtInSpace;
  }

  /** Opens the models that the database knows. Throws a StartError if the installation's cannot be used. */
  static async open(dependencies: Dependencies): Promise<EmbeddingModels> {
    const models = new EmbeddingModels(dependencies);
    const { main, open } = dependencies;
    if (main.engine !== 'remote') return models;
    const row = await models.#findRow('name', main.model);
    if (row === null) return models;
    if (main.dimensions !== row.dimensions) models.#main = (await open(main.model, row.dimensions)) ?? main;
    models.#space = toSpace(row);
    return models;
  }

  get model(): string {
    return this.#main.model;
  }

  get dimensions(): number {
    return this.#main.dimensions;
  }

  get engine(): Embedder['engine'] {
    return this.#main.engine;
  }

  /** Null until the installation's model was reached for the first time. */
  get space(): VectorSpace | null {
    return this.#space;
  }

  embedQuery(text: string): Promise<Float32Array> {
    return this.#main.embedQuery(text);
  }

  embedPassages(texts: readonly string[], options?: EmbedPassagesOptions): Promise<readonly Float32Array[]> {
    return this.#main.embedPassages(texts, options);
  }

  check(): Promise<void> {
    return this.#main.check();
  }

  /** Leaves the installation's model open: it was opened before. */
  async close(): Promise<void> {
    const others = await Promise.allSettled(this.#others.values());
    for (const other of others) if (other.status === 'fulfilled') await other.value?.close();
  }

  /** Returns the model with this number; null if it is not configured any more. */
  async findModel(id: number): Promise<Embedder | null> {
    if (id === this.#space?.id) return this;
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    const opening = this.#openOther(id);
    this.#others.set(id, opening);
    opening.catch(() => this.#others.delete(id));
    return opening;
  }

  /**
   * Returns the model with this name, or the installation's if it is null, ready for indexing: with a number and a scale.
   * Waits for the provider. Returns null if it is not configured.
   */
  async selectModel(name: string | null): Promise<Embedder | null> {
    const { builtInName, open } = this.#dependencies;
    if (name === null || name === this.model) return this.#registerMain();
    if (name === builtInName || name === BUILT_IN_EMBEDDINGS) return this.findModel(0);
    const row = await this.#findRow('name', name);
    if (row !== null) return this.findModel(row.id);
    const embedder = await open(name, null);
    if (embedder === null) return null;
    const { id } = await this.#register(embedder);
    return this.findModel(id);
  }

  async #registerMain(): Promise<Embedder> {
    if (this.#space !== null) return this;
    this.#registering ??= this.#measureMain();
    try {
      return await this.#registering;
    } finally {
      this.#registering = null;
    }
  }

  async #measureMain(): Promise<Embedder> {
    this.#space = toSpace(await this.#register(this.#main));
    return this;
  }

  async #openOther(id: number): Promise<Embedder | null> {
    const { builtInName, open } = this.#dependencies;
    if (id === 0) {
      const builtIn = await open(builtInName, null);
      return builtIn === null ? null : withSpace(builtIn, builtInSpace);
    }
    const row = await this.#findRow('id', id);
    const embedder = row === null ? null : await open(row.name, row.dimensions);
    return row === null || embedder === null ? null : withSpace(embedder, toSpace(row));
  }

  async #findRow(column: 'id' | 'name', value: number | string): Promise<ModelRow | null> {
    const row = await this.#dependencies.database
      .selectFrom('embedding_model')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Measures the scale, and stores the model with its graph index. Another process may do the same at the same time. */
  async #register(embedder: Embedder): Promise<ModelRow> {
    const { database, log } = this.#dependencies;
    const { unrelated, related } = (await embedder.measure?.()) ?? BUILT_IN_SCALE;
    const measured = { unrelated_cosine: unrelated, related_cosine: related };
    const row = await database.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('embedding_model'))`.execute(transaction);
      const stored = await transaction
        .insertInto('embedding_model')
        .values({ name: embedder.model, dimensions: embedder.dimensions, ...measured })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(measured))
        .returningAll()
        .executeTakeFirstOrThrow();
      await createGraphIndex(transaction, stored);
      return stored;
    });
    log.info({ model: row.name, dimensions: row.dimensions, unrelated, related }, 'embedding model measured');
    return row;
  }
}

async function createGraphIndex(database: Kysely<Tables>, { id, dimensions }: ModelRow): Promise<void> {
  if (dimensions > MAX_INDEXED_DIMENSIONS) return;
  const kind = dimensions > MAX_WHOLE_DIMENSIONS ? 'halfvec' : 'vector';
  await sql`
    create index if not exists ${sql.raw(`model_vector_near_${id}`)} on model_vector
    using hnsw ((embedding::${sql.raw(`${kind}(${dimensions})`)}) ${sql.raw(`${kind}_ip_ops`)})
    with (m = 16, ef_construction = 40) where in_graph and model_id = ${sql.raw(String(id))}
  `.execute(database);
}

function toSpace({ id, name, unrelated_cosine: unrelated, related_cosine: related }: ModelRow): VectorSpace {
  const model = name.slice(name.indexOf(':') + 1);
  const scale: CosineScale | null = unrelated === null || related === null ? null : { unrelated, related };
  return { id, scale, isMultilingual: findTraits(model).isMultilingual };
}

function withSpace(embedder: Embedder, space: VectorSpace): Embedder {
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    engine: embedder.engine,
    space,
    embedQuery: (text) => embedder.embedQuery(text),
    embedPassages: (texts, options) => embedder.embedPassages(texts, options),
    check: () => embedder.check(),
    close: () => embedder.close(),
  };
}
