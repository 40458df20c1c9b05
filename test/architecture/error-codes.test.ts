import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorCatalogue } from '../../core/base/error-catalogue.ts';
import { openTestServer } from '../helpers/servers/open-test-server.ts';
import { readApi } from '../helpers/servers/openapi/api-operations.ts';

/** Section 7 of the contract, by status. */
const contract: readonly (readonly [statuses: readonly number[], codes: readonly string[]])[] = [
  [[400], ['missing_field', 'invalid_workspace_id', 'message_too_long', 'invalid_json']],
  [[401], ['missing_auth', 'malformed_auth', 'invalid_key', 'expired_key']],
  [[403], ['workspace_access_denied', 'feature_not_in_plan', 'verification_required']],
  [[404], ['workspace_not_found', 'conversation_not_found', 'document_not_found']],
  [[409], ['plan_downgrade_blocked', 'duplicate_request_id']],
  [[422], ['invalid_top_k', 'invalid_temperature', 'invalid_strictness', 'invalid_audience']],
  [[429], ['rate_limit_minute', 'rate_limit_day', 'quota_exhausted']],
  [[500], ['internal_error', 'model_provider_error']],
  [
    [502, 503],
    ['upstream_timeout', 'deploying', 'provider_down'],
  ],
];

/** Codes that a request to a described operation never gets. */
const elsewhere = [
  // Requests to an address or a method that is not described get these.
  'route_not_found',
  'method_not_allowed',

  // Deliveries of platforms get these, and the platforms describe them.
  'invalid_signature',
  'event_not_stored',
  // The tools of sources get these for their posts.
  'source_hook_not_found',
  // To people who install an app: those get pages.
  'install_link_not_found',
  'install_in_other_browser',
  'install_declined',
  // Pages of the dashboard before sign-in get these.
  'link_expired',
  'sign_in_with_provider',
  'weak_password',
  'invalid_token',
  'invalid_password',
];

const { app } = await openTestServer();
const description = (await app.inject({ method: 'GET', url: '/openapi.json' })).json();
const { operations } = readApi(description);
const described = operations.flatMap(({ method, path, responses }) =>
  Object.entries(responses).flatMap(([status, { codes }]) =>
    codes.map((code) => ({ code, status: Number(status), operation: `${method} ${path}` })),
  ),
);

describe('the codes of errors', () => {
  test.each(contract.flatMap(([statuses, codes]) => codes.map((code) => [code, statuses] as const)))(
    '%s of the contract is in the registry with its status',
    (code, statuses) => {
      const entry = z.record(z.string(), z.object({ status: z.number() })).parse(errorCatalogue)[code];
      expect(statuses).toContain(entry?.status);
    },
  );

  test('of the registry are all described, each under its own status', () => {
    const found = new Set(described.map(({ code }) => code));
    const missing = Object.keys(errorCatalogue).filter((code) => !found.has(code));
    expect(missing.sort()).toEqual(elsewhere.sort());
  });

  test('that are described are all in the registry, under that status', () => {
    const statuses = new Map<string, number>(
      Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]),
    );
    expect(described.filter(({ code, status }) => statuses.get(code) !== status)).toEqual([]);
    expect(described.length).toBeGreaterThan(200);
  });

  test('that no operation answers are told beside the operations', () => {
    const otherwise = JSON.stringify(description['x-otherwise']);
    expect(otherwise).toContain('route_not_found');
    expect(otherwise).toContain('method_not_allowed');
  });
});
