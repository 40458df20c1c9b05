import { describe, expect, test } from 'vitest';
import type { ExchangeRequest } from '../../../../server/cli/transports/http-api.ts';
import { createApiCall } from '../../../../server/cli/transports/http-api.ts';

function answering(status: number, text: string) {
  const requests: ExchangeRequest[] = [];
  const call = createApiCall(async (request) => {
    requests.push(request);
    return { status, text };
  }, 'operator-token');
  return { requests, call };
}

const error = (code: string) => JSON.stringify({ detail: 'In words.', code, request_id: 'req_1' });

describe('createApiCall', () => {
  test("sends JSON with the operator's token or the given one", async () => {
    const { requests, call } = answering(200, '{"id":"ws_1"}');
    expect(await call('POST', '/a', { body: { name: 'Help' } })).toEqual({ id: 'ws_1' });
    await call('GET', '/b', { token: 'pk_1' });
    expect(requests[0]?.headers).toEqual({
      authorization: 'Bearer operator-token',
      'content-type': 'application/json',
    });
    expect(Buffer.from(requests[0]?.body ?? []).toString()).toBe('{"name":"Help"}');
    expect(requests[1]).toEqual({
      method: 'GET',
      path: '/b',
      headers: { authorization: 'Bearer pk_1' },
      body: null,
    });
  });

  test('sends a complete form with the boundary of its type', async () => {
    const { requests, call } = answering(202, '{}');
    const form = new FormData();
    form.append('file', new Blob(['\u0000bytes']), 'ä.md');
    await call('POST', '/a', { body: form });
    const [, boundary] =
      /^multipart\/form-data; boundary=(.+)$/.exec(requests[0]?.headers['content-type'] ?? '') ?? [];
    const body = Buffer.from(requests[0]?.body ?? []).toString();
    expect(body).toContain('filename="ä.md"');
    expect(body).toContain('\u0000bytes');
    expect(body.trimEnd().endsWith(`--${boundary}--`)).toBe(true);
  });

  test('returns null for a response without a body', async () => {
    expect(await answering(204, '').call('DELETE', '/a')).toBeNull();
  });

  test.each([
    [404, 'workspace_not_found', /workspace list/],
    [403, 'feature_not_in_plan', /--plan starter/],
    [401, 'invalid_key', /ADMIN_TOKEN/],
    [429, 'rate_limit_minute', /Try again/],
    [500, 'internal_error', /req_1/],
  ])('explains the next step after a %i %s', async (status, code, hint) => {
    await expect(answering(status, error(code)).call('GET', '/a')).rejects.toMatchObject({
      message: 'In words.',
      code,
      exitCode: 1,
      hint: expect.stringMatching(hint),
    });
  });

  test.each([
    [200, '<html>'],
    [502, '<html>'],
    [404, '{"error":"no"}'],
  ])('reports a server that responds %i with %s as not being Parley', async (status, text) => {
    await expect(answering(status, text).call('GET', '/a')).rejects.toMatchObject({ code: 'not_parley' });
  });
});
