import type { Runtime } from '../../../../core/runtime/runtime.ts';
import type { openTestServer } from '../open-test-server.ts';

interface Means extends Pick<Awaited<ReturnType<typeof openTestServer>>, 'operate'> {
  readonly runtime: Runtime;
  readonly workspace: { readonly id: string };
}

/** Requests the first file of the first message that contains only files, as an operator does. */
export async function fetchVisitorFile({ runtime, operate, workspace }: Means) {
  const { id, conversation_id } = await runtime.database.kysely
    .selectFrom('message')
    .select(['id', 'conversation_id'])
    .where('content', '=', '/file')
    .orderBy('created_at')
    .executeTakeFirstOrThrow();
  return operate(
    'GET',
    `/workspaces/${workspace.id}/conversations/${conversation_id}/messages/${id}/attachments/0`,
  );
}
