/** The fields of a PostgreSQL error that cross the thread boundary. */
export interface EmbeddedFault {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What the pool face sends to the database thread: bytes of PostgreSQL's protocol, or the end. */
export type EmbeddedRequest = Uint8Array<ArrayBuffer> | 'close';

/** What the database thread says; bytes answer the bytes that came. */
export type EmbeddedReply =
  | Uint8Array<ArrayBuffer>
  | { readonly kind: 'open' /** Whether a commit is flushed to the disk. */; readonly durable: boolean }
  | { readonly kind: 'failed'; readonly fault: EmbeddedFault }
  | { readonly kind: 'closed' };
