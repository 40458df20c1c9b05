import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components, operations } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type SignInProvider = components['schemas']['SignInProvider'];
export type DomainProof = components['schemas']['DomainProof'];
export type ProviderChange = operations['saveSignIn']['requestBody']['content']['application/json'];

const at = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });

/** The identity provider of the workspace's owner, and the addresses that belong to it. */
export const signInRulesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['sign-in-rules', workspace],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}/sign-in', at(workspace))),
  });

export function useSaveProvider(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProviderChange) =>
      answer(api.PUT('/admin/v1/workspaces/{workspace_id}/sign-in', { ...at(workspace), body })),
    onSuccess: (saved) => client.setQueryData(signInRulesQuery(workspace).queryKey, saved),
  });
}

export function useRemoveProvider(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => finish(api.DELETE('/admin/v1/workspaces/{workspace_id}/sign-in', at(workspace))),
    onSuccess: () => client.invalidateQueries({ queryKey: signInRulesQuery(workspace).queryKey }),
  });
}

/** Looks for the DNS record of a domain. */
export function useCheckDomain(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (domain: string) =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/sign-in/domains/{domain}/check', {
          params: { path: { workspace_id: workspace, domain } },
        }),
      ),
    onSuccess: (found) => client.setQueryData(signInRulesQuery(workspace).queryKey, found),
  });
}

/** Redirects to the provider, which redirects back to this page with the result. */
export function useTestProvider(workspace: string) {
  return useMutation({
    mutationFn: () => answer(api.POST('/admin/v1/workspaces/{workspace_id}/sign-in/test', at(workspace))),
    onSuccess: ({ url }) => location.assign(url),
  });
}

/** Mails an invitation again, with a new link. */
export function useMailInvitation(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(
        api.POST('/admin/v1/workspaces/{workspace_id}/invitations/{invitation_id}/mail', {
          params: { path: { workspace_id: workspace, invitation_id: id } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', workspace] }),
  });
}
