import { AnswerStream } from './answer-stream.ts';
import type { components } from './api-types.ts';
import { Conversations } from './conversations.ts';
import { Documents } from './documents.ts';
import { type VerifiedUser, verificationToken } from './identity.ts';
import { type AskOptions, type CallOptions, type Meta, type ParleyOptions, Transport } from './transport.ts';

type Schemas = components['schemas'];

export type QueryRequest = Schemas['QueryRequest'];
export type QueryResponse = Schemas['QueryResponse'];

export interface QueryOptions extends AskOptions {
  /** Identifies the question for 24 hours. Default: a new one, so that repeated attempts count once. */
  readonly idempotencyKey?: string;
}

export interface FeedbackOptions extends CallOptions {
  /** The visitor's own words. */
  readonly comment?: string;
}

/** A visitor whose identity is proven with each question. */
export type ProvenUser = Omit<VerifiedUser, 'sub'> & {
  readonly userId: string;
  /** The workspace's, from Settings, Security. Keep it on your server. */
  readonly identitySecret: string;
};

/** Asks questions as one visitor. */
export interface AskingUser {
  query(request: QueryRequest, options?: QueryOptions): Promise<QueryResponse & Meta>;
  stream(request: QueryRequest, options?: AskOptions): AnswerStream;
}

/** The client of one installation and one key. */
export class Parley {
  readonly conversations: Conversations;
  readonly documents: Documents;
  readonly #transport: Transport;
  readonly #workspaceId: string | undefined;
  #ownWorkspace: Promise<string> | undefined;

  constructor(options: ParleyOptions) {
    this.#transport = new Transport(options);
    this.#workspaceId = options.workspaceId;
    const workspace = () => this.#findWorkspace();
    this.conversations = new Conversations(this.#transport, workspace);
    this.documents = new Documents(this.#transport, workspace);
  }

  /** Answers a question from the documents of the workspace. */
  query(request: QueryRequest, options: QueryOptions = {}): Promise<QueryResponse & Meta> {
    const { idempotencyKey = crypto.randomUUID(), ...rest } = options;
    const body = this.#withWorkspace(request);
    return this.#transport.send({ ...rest, method: 'POST', path: '/v1/query', body, idempotencyKey });
  }

  /** Answers a question as a stream. Nothing is sent before the stream is read. */
  stream(request: QueryRequest, options: AskOptions = {}): AnswerStream {
    return this.#stream(async () => request, options);
  }

  /** Searches the documents without an answer. Needs the scope `search`. */
  async search(request: Schemas['SearchRequest'], options: CallOptions = {}): Promise<SearchResults> {
    const workspace = encodeURIComponent(await this.#findWorkspace());
    const path = `/admin/v1/workspaces/${workspace}/search`;
    return this.#transport.send({ ...options, method: 'POST', path, body: request });
  }

  /** Stores the visitor's rating of an answer. Null takes it back. */
  feedback(
    { conversationId, messageId }: Pick<QueryResponse, 'conversationId' | 'messageId'>,
    value: Schemas['NewFeedback']['value'],
    { comment, ...options }: FeedbackOptions = {},
  ): Promise<Schemas['Message'] & Meta> {
    const path = `/v1/conversations/${encodeURIComponent(conversationId)}/messages/${encodeURIComponent(messageId)}/feedback`;
    const body = comment === undefined ? { value } : { value, comment };
    return this.#transport.send({ ...options, method: 'POST', path, body });
  }

  /** Tells what the key belongs to, may do and has used. */
  me(options: CallOptions = {}): Promise<Schemas['KeyOwner'] & Meta> {
    return this.#transport.send({ ...options, method: 'GET', path: '/v1/me' });
  }

  /** Returns a client whose questions prove who asks: each carries a token of its own. */
  withUser({ userId, identitySecret, ...claims }: ProvenUser): AskingUser {
    const prove = async (request: QueryRequest): Promise<QueryRequest> => ({
      ...request,
      verificationToken: await verificationToken(identitySecret, { ...claims, sub: userId }),
    });
    return {
      query: async (request, options) => this.query(await prove(request), options),
      stream: (request, options = {}) => this.#stream(() => prove(request), options),
    };
  }

  #stream(prepare: () => Promise<QueryRequest>, { signal, simulate }: AskOptions): AnswerStream {
    const open = async (stop: AbortSignal) => {
      const body = this.#withWorkspace(await prepare());
      return this.#transport.open({ method: 'POST', path: '/v1/query/stream', body, simulate, signal: stop });
    };
    return new AnswerStream(this.#transport, open, signal);
  }

  #withWorkspace(request: QueryRequest): QueryRequest {
    return this.#workspaceId === undefined ? request : { workspaceId: this.#workspaceId, ...request };
  }

  #findWorkspace(): Promise<string> {
    if (this.#workspaceId !== undefined) return Promise.resolve(this.#workspaceId);
    this.#ownWorkspace ??= this.me().then(
      ({ workspaceId }) => workspaceId,
      (error: unknown) => {
        // The next call asks again.
        this.#ownWorkspace = undefined;
        throw error;
      },
    );
    return this.#ownWorkspace;
  }
}

export type SearchResults = Schemas['SearchResponse'] & Meta;
