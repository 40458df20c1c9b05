/** What the pool face asks of the database thread. */
export interface EmbeddedRequest {
  readonly id: number;
  readonly text: string;
  /** Absent: `text` may hold several statements. */
  readonly values?: readonly unknown[];
}

/** The commands that report how many rows they changed; anything else counts as SELECT. */
export const commands = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

export interface EmbeddedResult {
  rows: Record<string, unknown>[];
  rowCount: number;
  command: (typeof commands)[number];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The fields of a PostgreSQL error that cross the thread boundary. */
export interface EmbeddedFault {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What the database thread says. */
export type EmbeddedReply =
  | { readonly kind: 'open' /** Whether a commit is flushed to the disk. */; readonly durable: boolean }
  | { readonly kind: 'failed'; readonly fault: EmbeddedFault }
  | { readonly kind: 'result'; readonly id: number; readonly result: EmbeddedResult }
  | { readonly kind: 'error'; readonly id: number; readonly fault: EmbeddedFault }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'closed' };
