import { z } from 'zod';
import type { OperatorApi } from './transports/operator-api.ts';

const keyResponse = z.object({ id: z.string(), key: z.string() });
const lifetimeMs = 60_000;

/**
 * Calls `use` with an API key of the workspace. The key is revoked afterwards, and expires after a minute in
 * any case.
 */
export async function withTemporaryKey<Result>(
  api: OperatorApi,
  workspaceId: string,
  use: (key: string) => Promise<Result>,
): Promise<Result> {
  const path = `/admin/v1/workspaces/${workspaceId}/keys`;
  const expiresAt = new Date(Date.now() + lifetimeMs).toISOString();
  const { id, key } = keyResponse.parse(
    await api.call('POST', path, { body: { name: 'command line', expires_at: expiresAt } }),
  );
  try {
    return await use(key);
  } finally {
    await api.call('DELETE', `${path}/${id}`);
  }
}
