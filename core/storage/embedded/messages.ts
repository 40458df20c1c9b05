/** The fields of a PostgreSQL error that cross the thread boundary. */
export interface EmbeddedFault {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A message to the database thread: bytes of PostgreSQL's protocol, or the request to copy its files or to close. */
export type EmbeddedRequest = Uint8Array<ArrayBuffer> | { readonly copyTo: string } | 'close';

/** A message of the database thread. Bytes are the response to a request. */
export type EmbeddedReply =
  | Uint8Array<ArrayBuffer>
  | { readonly kind: 'open' /** Whether a commit is flushed to the disk. */; readonly durable: boolean }
  | { readonly kind: 'failed'; readonly fault: EmbeddedFault }
  /** The end of a copy, with the fault if there is none. */
  | { readonly kind: 'copied'; readonly fault: EmbeddedFault | null }
  | { readonly kind: 'closed' };
