export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  /** Sent as JSON, or as a multipart form. */
  readonly body?: object | FormData;
  /** Instead of the operator's token. */
  readonly token?: string;
}

/** The HTTP API of a Parley installation, wherever it runs. */
export interface OperatorApi {
  /** Whether a server of its own goes on working when the command has ended. */
  readonly outlivesCommand: boolean;
  /** The answer's JSON, or null where it has none. Throws a CommandError with the API's own code. */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>;
  close(): Promise<void>;
}
