import type { components } from './api-types.ts';
import { ConnectionError } from './errors.ts';
import { readPages } from './pages.ts';
import type { CallOptions, Meta, Transport } from './transport.ts';

type Schemas = components['schemas'];

/** Indexing is looked at this often while somebody waits for it. */
const POLL_MS = 1_000;

export interface WriteOptions extends CallOptions {
  /** Resolves after indexing has succeeded or failed. Default: false. */
  readonly wait?: boolean;
}

/** Documents that answers are made from. Reading needs the scope `documents:read`, writing `documents:write`. */
export class Documents {
  readonly #transport: Transport;
  readonly #workspace: () => Promise<string>;

  constructor(transport: Transport, workspace: () => Promise<string>) {
    this.#transport = transport;
    this.#workspace = workspace;
  }

  /** Adds a document from its text, or replaces the one with the same `url`. */
  async upsert(
    document: Omit<Schemas['NewDocument'], 'file'>,
    { wait, ...options }: WriteOptions = {},
  ): Promise<Schemas['Document'] & Meta> {
    const path = await this.#path();
    return this.#transport.send({ ...options, method: 'POST', path, query: { wait }, body: document });
  }

  /** Adds a document from a file of at most 25 MB, or replaces the one with the same file name. */
  async upload(
    file: Blob & { readonly name?: string },
    { title, url, audience, name, wait, ...options }: WriteOptions & FileDetails = {},
  ): Promise<Schemas['Document'] & Meta> {
    const form = new FormData();
    if (title !== undefined) form.set('title', title);
    if (url !== undefined) form.set('url', url);
    for (const tag of audience ?? []) form.append('audience', tag);
    form.set('file', file, name ?? file.name ?? 'document');
    const path = await this.#path('/upload');
    return this.#transport.send({ ...options, method: 'POST', path, query: { wait }, form });
  }

  /** Walks all pages, latest first. */
  async *list(
    filters: Schemas['DocumentFilters'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['ListedDocument'], void, undefined> {
    const path = await this.#path();
    const read = (cursor: string | undefined) =>
      this.#transport.send<Schemas['DocumentPage']>({
        ...options,
        method: 'GET',
        path,
        query: { ...filters, cursor },
      });
    yield* readPages(read, (page) => page.documents);
  }

  async get(id: string, options: CallOptions = {}): Promise<Schemas['Document'] & Meta> {
    return this.#transport.send({ ...options, method: 'GET', path: await this.#pathOf(id) });
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.finish({ ...options, method: 'DELETE', path: await this.#pathOf(id) });
  }

  /**
   * Resolves when the document is answered from, or with its failure. Rejects with `client_timeout` after `timeoutMs`
   * (default: two minutes).
   */
  async waitUntilIndexed(
    id: string,
    { timeoutMs = 120_000, ...options }: CallOptions & { readonly timeoutMs?: number } = {},
  ): Promise<Schemas['Document'] & Meta> {
    for (let waited = 0; ; waited += POLL_MS) {
      const document = await this.get(id, options);
      if (document.status === 'indexed' || document.status === 'failed') return document;
      if (waited >= timeoutMs) throw new ConnectionError('client_timeout', undefined);
      await this.#transport.pause(POLL_MS, options.signal);
    }
  }

  async #path(rest = ''): Promise<string> {
    return `/admin/v1/workspaces/${encodeURIComponent(await this.#workspace())}/documents${rest}`;
  }

  #pathOf(id: string): Promise<string> {
    return this.#path(`/${encodeURIComponent(id)}`);
  }
}

interface FileDetails {
  readonly title?: string;
  readonly url?: string;
  readonly audience?: readonly string[];
  /** Names a `Blob`, with an ending that tells the format. */
  readonly name?: string;
}
