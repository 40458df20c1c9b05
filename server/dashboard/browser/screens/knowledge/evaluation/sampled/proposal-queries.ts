import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../../api/api-types.ts';
import { answer, api } from '../../../../api/client.ts';

export type Proposal = components['schemas']['TestQuestionProposal'];

const base = '/admin/v1/workspaces/{workspace_id}/test-questions/proposals';

interface Sample {
  readonly count: number;
  /** Counts how often other questions were asked for. */
  readonly round: number;
}

/** The questions of visitors, loaded once a round: a list that people decide about does not change under them. */
export function proposalsQuery(workspace: string, { count, round }: Sample) {
  return queryOptions({
    queryKey: ['test-question-proposals', workspace, count, round],
    queryFn: ({ signal }) =>
      answer(api.GET(base, { params: { path: { workspace_id: workspace }, query: { count } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export type Decision = 'right' | 'nothing' | 'skip';

export interface Decided {
  readonly message: string;
  readonly decision: Decision;
}

/** Stores a decision. The list of test questions follows. */
export function useDecide(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ message, decision }: Decided) =>
      answer(
        api.PUT(`${base}/{message_id}`, {
          params: { path: { workspace_id: workspace, message_id: message } },
          body: { decision },
        }),
      ),
    onSettled: (_data, _error, { decision }) =>
      decision === 'skip' ? undefined : client.invalidateQueries({ queryKey: ['evaluation', workspace] }),
  });
}
