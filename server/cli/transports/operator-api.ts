import { z } from 'zod';

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

const paginationResponse = z.object({ next_cursor: z.string().nullable() });

/** Every item of a list of the API, over all its pages. `name` is the field that holds the items. */
export async function listAll<Item>(
  api: OperatorApi,
  path: string,
  { name, item }: { readonly name: string; readonly item: z.ZodType<Item> },
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const answer: unknown = await api.call('GET', `${path}?${query}`);
    items.push(...z.array(item).parse(z.object({ [name]: z.unknown() }).parse(answer)[name]));
    cursor = z.object({ pagination: paginationResponse }).parse(answer).pagination.next_cursor;
  }
  return items;
}
