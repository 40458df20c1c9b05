import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../../../../core/base/error-catalogue.ts';
import { AppError } from '../../../../../core/base/errors.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';
import { ownerMessages } from '../../../../helpers/stores/owner-messages.ts';

const logged: unknown[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const told = 'invalid api key sk-secret at 10.0.0.7';
const failure: { code: ErrorCode } = { code: 'provider_down' };
const { query, makeWorkspace, runtime } = await openTestServer({
  alter: ({ embedder }) => ({
    log,
    embedder: {
      ...embedder,
      embedQuery: () => Promise.reject(new AppError(failure.code, { cause: new TypeError(told) })),
    },
  }),
});
const { owner, key } = await makeWorkspace();

test.each([
  ['model_provider_error', 500],
  ['upstream_timeout', 502],
  ['provider_down', 503],
] as const)(
  "a provider's failure is reported as %s, with its own words only in the log",
  async (code, status) => {
    failure.code = code;
    logged.length = 0;
    const response = await query(key, { query: 'Do you sell socks?' });
    expect([response.statusCode, response.json()]).toEqual([
      status,
      { code, detail: expect.any(String), request_id: response.headers['x-request-id'] },
    ]);
    expect(response.body).not.toContain('secret');
    expect(response.headers['x-ratelimit-remaining-minute']).toBeDefined();
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).toContain(told);
    expect(await ownerMessages(runtime, owner)).toBe(0);
  },
);
