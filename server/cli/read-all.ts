import { z } from 'zod';
import type { OperatorApi } from './transports/operator-api.ts';

const pagination = z.object({ next_cursor: z.string().nullable() });

/** Every item of a list of the API, over all its pages. `name` is the field that holds the items. */
export async function readAll<Item>(
  api: OperatorApi,
  path: string,
  { name, item }: { readonly name: string; readonly item: z.ZodType<Item> },
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const answer: unknown = await api.call('GET', `${path}?${query}`);
    items.push(...z.array(item).parse(z.object({ [name]: z.unknown() }).parse(answer)[name]));
    cursor = z.object({ pagination }).parse(answer).pagination.next_cursor;
  }
  return items;
}
