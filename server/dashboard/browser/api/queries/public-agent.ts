import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../client.ts';

const address = '/admin/v1/workspaces/{workspace_id}';

interface PublicSettings {
  readonly nlweb_enabled?: boolean;
  readonly mcp_enabled?: boolean;
  readonly description?: string;
}

/** The workspace with its settings, as far as strangers meet them. */
export function publicAgentQuery(workspace: string) {
  return queryOptions({
    queryKey: ['workspace', workspace],
    queryFn: () => answer(api.GET(address, { params: { path: { workspace_id: workspace } } })),
  });
}

export function useChangePublicAgent(workspace: string) {
  const client = useQueryClient();
  const { queryKey } = publicAgentQuery(workspace);
  return useMutation({
    mutationFn: (settings: PublicSettings) =>
      answer(
        api.PATCH(address, {
          params: { path: { workspace_id: workspace } },
          body: { settings: { ...settings } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
