import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { buildApp } from '../../../server/app.ts';
import { BenchError } from '../bench-error.ts';

export type Ask = (question: string) => Promise<void>;

/** A visitor of the workspace who asks by `POST /v1/query`, with limits that they never reach. */
export async function openVisitor(
  app: ReturnType<typeof buildApp>,
  { apiKeys }: Runtime,
  workspaceId: string,
): Promise<Ask> {
  const limits = { rateLimitMinute: 100_000, rateLimitDay: 1_000_000 };
  const { value: key } = await apiKeys.create(workspaceId, { name: 'bench', ...limits });
  return async (query) => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}` },
      payload: { query },
    });
    if (response.statusCode !== 200)
      throw new BenchError(`POST /v1/query: ${response.statusCode} ${response.body}`);
  };
}
