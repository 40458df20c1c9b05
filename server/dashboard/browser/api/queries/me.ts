import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { send } from '../send.ts';

export type Theme = 'auto' | 'light' | 'dark';
export type Role = 'owner' | 'agent' | 'viewer' | 'operator';

/** The kind of notice for conversations in these views. */
export interface NotificationChoice {
  readonly browser: boolean;
  readonly sound: boolean;
  readonly views: readonly string[];
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
  readonly time_zone: string | null;
  readonly theme: Theme;
  readonly keys_enabled: boolean;
  readonly notifications: NotificationChoice;
  /** The keys that the person chose, by action; null for none. */
  readonly own_keys: Readonly<Record<string, string | null>>;
  /** Whether they are mailed about mentions and assigned conversations that they have not seen. */
  readonly email_digest: boolean;
  readonly two_factor_enabled: boolean;
  readonly has_password: boolean;
  readonly is_operator: boolean;
}

export interface MyWorkspace {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly role: Role;
  readonly permissions: readonly string[];
}

export interface Me {
  readonly person: Person;
  readonly workspaces: readonly MyWorkspace[];
  readonly permissions: readonly string[];
}

export type PersonChange = Partial<
  Pick<
    Person,
    | 'name'
    | 'language'
    | 'time_zone'
    | 'theme'
    | 'keys_enabled'
    | 'notifications'
    | 'own_keys'
    | 'email_digest'
  >
>;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => send<Me>('/admin/v1/me'),
  staleTime: 60_000,
});

/** The signed-in person. It works only below the frame, which waits for the person. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Changes fields of the signed-in person; shown at once and taken back if the server refuses. */
export function useChangeMe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PersonChange) => send<unknown>('/admin/v1/me', { method: 'PATCH', body: change }),
    onMutate: (change) => {
      const before = client.getQueryData(meQuery.queryKey);
      if (before !== undefined) {
        client.setQueryData(meQuery.queryKey, { ...before, person: { ...before.person, ...change } });
      }
      return before;
    },
    onError: (_error, _change, before) => {
      if (before !== undefined) client.setQueryData(meQuery.queryKey, before);
    },
    onSettled: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
