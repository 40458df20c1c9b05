import { infiniteQueryOptions } from '@tanstack/react-query';
import type { components } from '../api-types.ts';
import { answer, api } from '../client.ts';

export type AuditEntry = components['schemas']['WorkspaceAuditEntry'];

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  readonly conversations?: 'true';
}

/** The audit log of a workspace in pages, latest first. */
export const auditQuery = (workspace: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', workspace, filter],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/audit-log', {
          params: {
            path: { workspace_id: workspace },
            query: { ...filter, limit: 50, ...(pageParam !== '' && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** The address of the same entries as a file. */
export function auditExportAddress(workspace: string, filter: AuditFilter): string {
  return `/admin/v1/workspaces/${workspace}/audit-log.csv?${new URLSearchParams({ ...filter })}`;
}
