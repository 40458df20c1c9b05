import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

/** Answers a conversation as a person, and looks at what waits. */
export async function walkQueues(
  operator: ApiClient,
  { workspaceId, conversationId }: { readonly workspaceId: string; readonly conversationId: string },
): Promise<void> {
  const replied = await operator.POST('/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/reply', {
    params: { path: { workspace_id: workspaceId, conv_id: conversationId } },
    body: { content: 'A person here.', author_email: 'ann@example.com' },
  });
  expect([replied.response.status, replied.data?.delivery]).toEqual([201, null]);
  const none = await operator.GET(
    '/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/messages/{message_id}/attachments/{number}',
    {
      params: {
        path: {
          workspace_id: workspaceId,
          conv_id: conversationId,
          message_id: replied.data?.id ?? '',
          number: '0',
        },
      },
    },
  );
  expect([none.response.status, none.error?.code]).toEqual([404, 'attachment_not_found']);
  const overview = await operator.GET('/admin/v1/queues');
  expect(overview.data?.queues?.map(({ name }) => name)).toContain('answer');
  const examined = await operator.POST('/admin/v1/doctor');
  expect(examined.data?.findings.map(({ part }) => part)).toContain('database');
  const path = { name: 'deliver' } as const;
  const failures = await operator.GET('/admin/v1/queues/{name}/failures', { params: { path } });
  expect(failures.data?.failures).toEqual([]);
  const retried = await operator.POST('/admin/v1/queues/{name}/retry', { params: { path }, body: {} });
  expect(retried.data).toEqual({ retried: 0 });
}
