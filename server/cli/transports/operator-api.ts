import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  /** The body, sent as JSON or as a multipart form. */
  readonly body?: object | FormData;
  /** Used instead of the operator's token. */
  readonly token?: string;
}

/** The HTTP API of a Parley installation, local or remote. */
export interface OperatorApi {
  /** Whether a separate server keeps running after the command. */
  readonly outlivesCommand: boolean;
  /**
   * Returns the JSON of the response, or null if it has no body. Throws a CommandError with the code of the
   * API.
   */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>;
  close(): Promise<void>;
}

const paginationResponse = z.object({ next_cursor: z.string().nullable() });

/** Returns all items of a list of the API, over all pages. `name` is the field that contains the items. */
export async function listAll<Item>(
  api: OperatorApi,
  path: string,
  {
    name,
    item,
    query: filters = {},
  }: {
    readonly name: string;
    readonly item: z.ZodType<Item>;
    readonly query?: Readonly<Record<string, string>>;
  },
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ ...filters, limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const response: unknown = await api.call('GET', `${path}?${query}`);
    items.push(...z.array(item).parse(z.object({ [name]: z.unknown() }).parse(response)[name]));
    cursor = z.object({ pagination: paginationResponse }).parse(response).pagination.next_cursor;
  }
  return items;
}
