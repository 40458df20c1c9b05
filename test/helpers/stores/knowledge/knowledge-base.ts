import { systemClock } from '../../../../core/base/clock.ts';
import { createLog } from '../../../../core/base/log.ts';
import { Corpora } from '../../../../core/knowledge/corpus/corpora.ts';
import { DocumentChanges } from '../../../../core/knowledge/documents/document-changes.ts';
import { Documents } from '../../../../core/knowledge/documents/documents.ts';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { type SearchDependencies, searchKnowledge } from '../../../../core/knowledge/search.ts';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import type { Database } from '../../../../core/storage/database.ts';
import { Workspaces } from '../../../../core/workspaces/workspaces.ts';
import { type WordEmbedder, wordEmbedder } from '../../models/embedding/word-embedder.ts';
import { plainReader } from '../../models/plain-reader.ts';

interface AddOptions {
  readonly url?: string;
  readonly title?: string;
  readonly audience?: readonly string[];
  readonly contentType?: string;
}

interface Options {
  /** Every search is one of what is kept in memory. */
  readonly inMemory?: boolean;
}

/** Documents and search on one database, with a stand-in for the embedding model and no queue. */
export class KnowledgeBase {
  readonly embedder: WordEmbedder = wordEmbedder();
  readonly documents: Documents;
  readonly changes: DocumentChanges;
  /** The dependencies with which it searches. */
  readonly dependencies: SearchDependencies;
  readonly corpora: Corpora;
  readonly #database: Database;

  constructor(database: Database, { inMemory = false }: Options = {}) {
    this.#database = database;
    const { kysely } = database;
    this.corpora = new Corpora({
      ...{ database: kysely, clock: systemClock, log: createLog('silent') },
      ...{ bytes: inMemory ? 2 ** 24 : 0, worth: { questions: 1, chunksPerQuestion: 1_000 } },
    });
    this.dependencies = { database: kysely, embedder: this.embedder, corpora: this.corpora };
    const stored = { database: database.kysely, clock: systemClock, wake: async () => {} };
    this.documents = new Documents(stored);
    this.changes = new DocumentChanges(stored);
  }

  async workspace(): Promise<string> {
    const secretBox = new SecretBox(Buffer.alloc(32));
    const workspaces = new Workspaces({ database: this.#database.kysely, secretBox, clock: systemClock });
    return (await workspaces.create({ name: 'Test' })).workspace.id;
  }

  /** Stores a Markdown document without indexing it; its id. */
  async store(workspaceId: string, text: string, options: AddOptions = {}): Promise<string> {
    const bytes = Buffer.from(text);
    const document = await this.documents.add({
      workspaceId,
      bytes,
      contentType: 'text/markdown',
      ...options,
    });
    return document.id;
  }

  ingest(documentId: string) {
    return ingestDocument(
      { database: this.#database.kysely, embedder: this.embedder, reader: plainReader, clock: systemClock },
      documentId,
    );
  }

  async add(workspaceId: string, text: string, options: AddOptions = {}): Promise<string> {
    const id = await this.store(workspaceId, text, options);
    await this.ingest(id);
    return id;
  }

  async search(
    workspaceId: string,
    question: string,
    limits: { readonly audience?: readonly string[]; readonly documentIds?: readonly string[] } = {},
  ) {
    await this.corpora.current(workspaceId);
    await this.corpora.idle();
    const { ranked } = await searchKnowledge(this.dependencies, {
      workspaceId,
      question,
      audience: limits.audience ?? [],
      documentIds: limits.documentIds ?? null,
    });
    return ranked;
  }
}
