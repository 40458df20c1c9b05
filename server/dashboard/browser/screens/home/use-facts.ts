import { queryOptions, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client.ts';
import { listPasskeys } from '../../api/passkeys.ts';
import { channelStatesQuery, channelsQuery } from '../../api/queries/channels.ts';
import { conflictsQuery, documentCountsQuery } from '../../api/queries/documents.ts';
import { countsQuery } from '../../api/queries/inbox.ts';
import { keysQuery } from '../../api/queries/keys.ts';
import { useMe } from '../../api/queries/me.ts';
import { membersQuery } from '../../api/queries/members.ts';
import { usageQuery } from '../../api/queries/settings.ts';
import { sourcesQuery } from '../../api/queries/sources.ts';
import { useMay } from '../../api/queries/workspace.ts';
import type { KnownFacts } from './needs.ts';
import type { SeenFacts } from './steps.ts';

/** The newest question that was answered with confidence: by a visitor, or by a person who marked the answer as right. */
const sureQuestionQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['answers', workspace, 'sure'],
    queryFn: async ({ signal }) => {
      const path = { workspace_id: workspace };
      const { answers } = await answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/answers', {
          params: { path, query: { confidence: 'high', limit: 1 } },
          signal,
        }),
      );
      if (answers[0] !== undefined) return answers[0].question ?? '';
      const { questions } = await answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/test-questions', {
          params: { path, query: { limit: 1 } },
          signal,
        }),
      );
      return questions[0]?.question ?? null;
    },
  });

interface ReadFacts {
  readonly facts: KnownFacts & Omit<SeenFacts, 'workspaceName'>;
  /** True while nothing is known yet. */
  readonly isLoading: boolean;
  /** True if a part could not be read. */
  readonly hasFailed: boolean;
}

/** Reads what Home shows, as far as the person may. Each part arrives on its own. */
export function useFacts(workspace: string, now: Date): ReadFacts {
  const { person } = useMe();
  const [mayKnow, mayAnswer, mayConnect] = [
    useMay('knowledge:read'),
    useMay('inbox:read'),
    useMay('channels:read'),
  ];
  const [mayDevelop, maySeePeople, mayUsage] = [
    useMay('developers:read'),
    useMay('people:read'),
    useMay('usage:read'),
  ];
  const channels = useQuery({ ...channelsQuery(workspace), enabled: mayConnect });
  const states = useQuery({ ...channelStatesQuery(workspace), enabled: mayConnect });
  const documents = useQuery({ ...documentCountsQuery(workspace), enabled: mayKnow });
  const sources = useQuery({ ...sourcesQuery(workspace), enabled: mayKnow });
  const conflicts = useInfiniteQuery({ ...conflictsQuery(workspace, 'open'), enabled: mayKnow });
  const counts = useQuery({ ...countsQuery(workspace), enabled: mayAnswer });
  const sure = useQuery({ ...sureQuestionQuery(workspace), enabled: mayAnswer && mayKnow });
  const keys = useQuery({ ...keysQuery(workspace, false), enabled: mayDevelop });
  const usage = useQuery({ ...usageQuery(workspace), enabled: mayUsage });
  const members = useQuery({ ...membersQuery(workspace), enabled: maySeePeople });
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: listPasskeys });
  const first = conflicts.data?.pages[0];
  const read: readonly Pick<UseQueryResult, 'isError' | 'isLoading'>[] = [
    ...[channels, states, documents, sources, conflicts, counts, sure, keys, usage, members, passkeys],
  ];
  return {
    facts: {
      channels: channels.data?.channels,
      states: states.data?.states,
      failedDocuments: documents.data?.statuses.failed,
      indexedDocuments: documents.data?.statuses.indexed,
      sources: sources.data?.sources,
      views: counts.data?.views,
      usage: usage.data,
      keys: keys.data?.keys,
      conflicts: first && { count: first.conflicts.length, isMore: first.pagination.has_more },
      sureQuestion: sure.data,
      members: members.data?.map(({ name }) => name),
      hasSecondFactor:
        passkeys.data === undefined ? undefined : person.two_factor_enabled || passkeys.data.length > 0,
      now,
    },
    isLoading: read.every(({ isLoading }) => isLoading),
    hasFailed: read.some(({ isError }) => isError),
  };
}
