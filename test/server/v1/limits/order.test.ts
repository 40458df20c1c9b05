import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { leaveMessages } from '../../../helpers/stores/owner-messages.ts';

const { app, runtime, makeWorkspace } = await openTestServer();
const foreign = await makeWorkspace();

/** The possible faults of a request, in the order of the checks. */
const faults = [
  'malformed_auth',
  'expired_key',
  'feature_not_in_plan',
  'rate_limit_minute',
  'rate_limit_day',
  'missing_field',
  'quota_exhausted',
  'workspace_access_denied',
] as const;
type Fault = (typeof faults)[number];

/** Returns the code of a request with all of these faults. */
async function codeOf(...wrong: readonly Fault[]): Promise<string> {
  const has = (fault: Fault) => wrong.includes(fault);
  const { id, owner } = await makeWorkspace();
  await leaveMessages(runtime, owner, has('quota_exhausted') ? 1 : 2);
  const { apiKey, value } = await runtime.apiKeys.create(id, {
    name: 'Test',
    rateLimitMinute: has('rate_limit_minute') ? 1 : 10,
    rateLimitDay: has('rate_limit_day') ? 1 : 10,
  });
  const send = (authorization: string, body: object) =>
    app.inject({ method: 'POST', url: '/v1/query', headers: { authorization }, payload: body });
  await send(`Bearer ${value}`, { query: 'Do you sell socks?' });
  if (has('expired_key')) {
    await runtime.database.kysely
      .updateTable('api_key')
      .set({ expires_at: new Date(0) })
      .where('id', '=', apiKey.id)
      .execute();
  }
  if (has('feature_not_in_plan')) {
    await runtime.database.kysely
      .updateTable('workspace')
      .set({ plan: 'free' })
      .where('id', '=', id)
      .execute();
  }
  const response = await send(`${has('malformed_auth') ? 'Token' : 'Bearer'} ${value}`, {
    ...(has('missing_field') ? {} : { query: 'Do you sell socks?' }),
    ...(has('workspace_access_denied') ? { workspace_id: foreign.id } : {}),
  });
  return response.json().code ?? 'answered';
}

const pairs = faults.flatMap((first, index) =>
  faults.slice(index + 1).map((second) => [first, second] as const),
);

describe('the first fault of a request in the order of checks is reported', () => {
  test('each fault alone', async () => {
    expect(await codeOf()).toBe('answered');
    for (const fault of faults) expect(await codeOf(fault)).toBe(fault);
  });

  test.each(pairs)('%s before %s', async (first, second) => {
    expect(await codeOf(first, second)).toBe(first);
  });
});
