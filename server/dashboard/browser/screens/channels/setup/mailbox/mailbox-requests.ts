import { useMutation } from '@tanstack/react-query';
import type { components } from '../../../../api/api-types.ts';
import { answer, api } from '../../../../api/client.ts';

type Schemas = components['schemas'];
export type MailServer = Schemas['MailServer'];
export type MailServerCheck = Schemas['MailServerCheck'];
export type MailProblem = NonNullable<MailServerCheck['problem']>;
export type FoundServers = Awaited<ReturnType<typeof findMailServers>>;

export interface WantedMailbox {
  readonly address: string;
  /** Absent: the servers are looked for. */
  readonly provider?: 'google' | 'microsoft';
}

interface TriedMailbox {
  readonly credentials: Record<string, unknown>;
  readonly settings: Record<string, unknown>;
}

function findMailServers(workspace: string, body: WantedMailbox) {
  return answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/mailbox-servers', {
      params: { path: { workspace_id: workspace } },
      body,
    }),
  );
}

/** Finds the servers of an address. */
export function useFindMailServers(workspace: string) {
  return useMutation({ mutationFn: (wanted: WantedMailbox) => findMailServers(workspace, wanted) });
}

/** Signs in to both servers. Nothing is stored. */
export function useCheckMailbox(workspace: string) {
  return useMutation({
    mutationFn: (body: TriedMailbox) =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/mailbox-checks', {
          params: { path: { workspace_id: workspace } },
          body,
        }),
      ),
  });
}
