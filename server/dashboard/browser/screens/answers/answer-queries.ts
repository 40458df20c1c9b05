import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { components, paths } from '../../api/api-types.ts';
import { answer, api } from '../../api/client.ts';

type Schemas = components['schemas'];
export type ListedAnswer = Schemas['ListedAnswer'];
export type ExplainedAnswer = Schemas['ExplainedAnswer'];
export type Trace = NonNullable<ExplainedAnswer['trace']>;
export type TracedPassage = Schemas['TracedPassage'];
export type Verdict = Schemas['AnswerReview']['verdict'];
export type Replay = Schemas['AnswerReplay'];

const base = '/admin/v1/workspaces/{workspace_id}/answers';
type ListQuery = NonNullable<paths[typeof base]['get']['parameters']['query']>;
export type AnswerFilters = Omit<ListQuery, 'limit' | 'cursor'>;

const pageSize = 50;
const keyOf = (workspace: string) => ['answers', workspace] as const;

/** The answers that fit the filters, newest first, in pages. */
export function answersQuery(workspace: string, filters: AnswerFilters) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(workspace), 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(base, {
          params: {
            path: { workspace_id: workspace },
            query: { ...filters, limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
}

export interface AnswerPlace {
  readonly workspace: string;
  readonly message: string;
}

const pathOf = ({ workspace, message }: AnswerPlace) => ({ workspace_id: workspace, message_id: message });

/** One answer with everything that explains it. */
export const answerQuery = (place: AnswerPlace) =>
  queryOptions({
    queryKey: [...keyOf(place.workspace), 'one', place.message],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/{message_id}`, { params: { path: pathOf(place) }, signal })),
  });

type Pages = InfiniteData<{ readonly answers: readonly ListedAnswer[] }>;

/** Judges an answer; null takes the judgement back. The log keeps its rows, so that the next one is a key away. */
export function useReview(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ message, verdict }: { readonly message: string; readonly verdict: Verdict | null }) =>
      answer(
        api.PUT(`${base}/{message_id}/review`, {
          params: { path: pathOf({ workspace, message }) },
          body: { verdict },
        }),
      ),
    onSuccess: ({ review }, { message, verdict }) => {
      client.setQueriesData<Pages>({ queryKey: [...keyOf(workspace), 'list'] }, (pages) =>
        pages === undefined
          ? pages
          : { ...pages, pages: pages.pages.map((page) => judge(page, message, verdict)) },
      );
      client.setQueryData(answerQuery({ workspace, message }).queryKey, (before) =>
        before === undefined ? before : { ...before, review },
      );
    },
  });
}

function judge<Page extends Pages['pages'][number]>(page: Page, id: string, verdict: Verdict | null): Page {
  const answers = page.answers.map((row) => (row.message_id === id ? { ...row, verdict } : row));
  return { ...page, answers };
}

export interface ReplayChoice {
  readonly model: string | null;
  readonly audience: readonly string[] | null;
  readonly strictness: 'strict' | 'fallback' | null;
}

/** Asks the question of an answer again. Nothing is stored. */
export function useReplay(place: AnswerPlace) {
  return useMutation({
    mutationFn: ({ audience, ...choice }: ReplayChoice) =>
      answer(
        api.POST(`${base}/{message_id}/replay`, {
          params: { path: pathOf(place) },
          body: { ...choice, audience: audience === null ? null : [...audience] },
        }),
      ),
  });
}
