import { queryOptions, useQuery } from '@tanstack/react-query';
import type { components } from './api-types.ts';
import { answer, api } from './client.ts';

export type ChannelKind = components['schemas']['ChannelKind'];

/** The kinds with their forms and guides; the name stands in the texts to paste on the platform. */
export function kindsQuery(name = '') {
  return queryOptions({
    queryKey: ['channel-kinds', name],
    queryFn: () =>
      answer(api.GET('/admin/v1/channel-kinds', { params: { query: name === '' ? {} : { name } } })),
    staleTime: 600_000,
  });
}

/** Returns a kind; undefined until the kinds are loaded. */
export function useKind(kind: string): ChannelKind | undefined {
  return useQuery(kindsQuery()).data?.kinds.find((each) => each.kind === kind);
}
