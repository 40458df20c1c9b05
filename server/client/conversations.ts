import type { components } from './api-types.ts';
import { readPages } from './pages.ts';
import type { CallOptions, Meta, Transport } from './transport.ts';

type Schemas = components['schemas'];

/** Filters of the list. A conversation must match all given ones. */
export type ConversationFilters = Omit<Schemas['ConversationFilters'], 'waiting'> & {
  /** Whether the visitor waits for a person. */
  readonly waiting?: boolean;
  /** Defaults to the workspace of the client. */
  readonly workspaceId?: string;
};

export interface ReplyOptions extends CallOptions {
  /** Identifies the reply for 24 hours. Default: a new one, so that repeated attempts have one effect. */
  readonly idempotencyKey?: string;
}

/** Conversations and what can be done with them. */
export class Conversations {
  readonly #transport: Transport;
  readonly #workspace: () => Promise<string>;

  constructor(transport: Transport, workspace: () => Promise<string>) {
    this.#transport = transport;
    this.#workspace = workspace;
  }

  /** Walks all pages, latest activity first. */
  async *list(
    { workspaceId, ...filters }: ConversationFilters = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['Conversation'], void, undefined> {
    const query = { ...filters, workspaceId: workspaceId ?? (await this.#workspace()) };
    const read = (cursor: string | undefined) =>
      this.#transport.send<Schemas['ConversationPage']>({
        ...{ ...options, method: 'GET', path: '/v1/conversations' },
        query: { ...query, cursor },
      });
    yield* readPages(read, (page) => page.conversations);
  }

  /** Resolves with the conversation, its whole history, notes and changes. */
  get(id: string, options: CallOptions = {}): Promise<Schemas['ConversationView'] & Meta> {
    return this.#transport.send({ ...options, method: 'GET', path: pathOf(id) });
  }

  /** Walks all messages, oldest first unless `order` is `desc`. */
  async *messages(
    id: string,
    {
      order,
      limit,
      ...options
    }: CallOptions & { readonly order?: 'asc' | 'desc'; readonly limit?: number } = {},
  ): AsyncGenerator<Schemas['Message'], void, undefined> {
    const read = (cursor: string | undefined) =>
      this.#transport.send<Schemas['MessagePage']>({
        ...{ ...options, method: 'GET', path: `${pathOf(id)}/messages` },
        query: { order, limit, cursor },
      });
    yield* readPages(read, (page) => page.messages);
  }

  /** Changes what is given and keeps the rest. `tags` replaces all tags. */
  update(
    id: string,
    change: Schemas['ConversationChange'],
    options: CallOptions = {},
  ): Promise<Schemas['ConversationView'] & Meta> {
    return this.#transport.send({ ...options, method: 'PATCH', path: pathOf(id), body: change });
  }

  /** Deletes the conversation with its messages and notes. This cannot be undone. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.finish({ ...options, method: 'DELETE', path: pathOf(id) });
  }

  /** Adds a note that visitors never see. */
  addNote(id: string, note: Schemas['NewNote'], options: CallOptions = {}): Promise<Schemas['Note'] & Meta> {
    return this.#transport.send({ ...options, method: 'POST', path: `${pathOf(id)}/notes`, body: note });
  }

  /** Answers as a person, `authorEmail`. Parley then keeps silent in the conversation. Needs `conversations:reply`. */
  async reply(
    id: string,
    { workspaceId, ...reply }: Schemas['NewReply'] & { readonly workspaceId?: string },
    { idempotencyKey = crypto.randomUUID(), ...options }: ReplyOptions = {},
  ): Promise<Schemas['AgentReply'] & Meta> {
    const workspace = encodeURIComponent(workspaceId ?? (await this.#workspace()));
    const path = `/admin/v1/workspaces/${workspace}/conversations/${encodeURIComponent(id)}/reply`;
    return this.#transport.send({ ...options, method: 'POST', path, body: reply, idempotencyKey });
  }
}

const pathOf = (id: string) => `/v1/conversations/${encodeURIComponent(id)}`;
