import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../api-types.ts';
import { answer, api } from '../client.ts';
import { send } from '../send.ts';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type MemberRole = Member['role'];

interface Access {
  readonly role: MemberRole;
  /** Null: all workspaces of the owner. */
  readonly workspaces: string[] | null;
}

const path = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });

export const membersQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['members', workspace],
    queryFn: async () =>
      (await answer(api.GET('/admin/v1/workspaces/{workspace_id}/members', path(workspace)))).members,
  });

export const invitationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['invitations', workspace],
    queryFn: async () =>
      (await answer(api.GET('/admin/v1/workspaces/{workspace_id}/invitations', path(workspace)))).invitations,
  });

/** Makes an invitation. Only the answer contains its link. */
export function useInvite(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Access & { readonly email: string }) =>
      answer(api.POST('/admin/v1/workspaces/{workspace_id}/invitations', { ...path(workspace), body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations', workspace] }),
  });
}

export function useRevokeInvitation(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      send<unknown>(`/admin/v1/workspaces/${workspace}/invitations/${id}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', workspace] }),
  });
}

export function useChangeMember(workspace: string, member: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Access) =>
      answer(
        api.PATCH('/admin/v1/workspaces/{workspace_id}/members/{member_id}', {
          params: { path: { workspace_id: workspace, member_id: member } },
          body,
        }),
      ),
    // One's own role may have changed.
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useRemoveMember(workspace: string, member: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      send<unknown>(`/admin/v1/workspaces/${workspace}/members/${member}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['members', workspace] }),
  });
}

/** Makes a link for a new password. Only the answer contains it. */
export function useRecoveryLink(workspace: string, member: string) {
  return useMutation({
    mutationFn: () =>
      send<{ readonly link: string }>(`/admin/v1/workspaces/${workspace}/members/${member}/recovery-link`, {
        method: 'POST',
      }),
  });
}
