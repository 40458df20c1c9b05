import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { operate, makeWorkspace, app } = await openTestServer({
  runtime: { environment: { PUBLIC_URL: 'http://parley.example' } },
});
const { id } = await makeWorkspace();
const path = `/workspaces/${id}/sources`;

const add = async (kind: string, settings: object, credentials = {}) => {
  const body = { name: 'Help', kind, settings, credentials, run: false };
  return (await operate('POST', path, body)).json().id;
};
const website = () => add('website', { url: 'https://acme.example/help' });
const github = () => add('github', { repository: 'acme/docs' });
const codeOf = async (...call: Parameters<typeof operate>) => {
  const response = await operate(...call);
  return [response.statusCode, response.json().code];
};

describe('items that are named as changed', () => {
  test('are taken if they belong to the source, also ones that no run has found', async () => {
    const source = await website();
    const addresses = [
      'https://acme.example/help/new',
      '/help/other',
      'https://other.example/',
      'javascript:x',
    ];
    const response = await operate('POST', `${path}/${source}/changed`, { addresses });
    expect(response.statusCode).toBe(202);
    expect(response.json()).toEqual({
      taken: 2,
      left_out: [
        { name: 'https://other.example/', code: 'unknown_item' },
        { name: 'javascript:x', code: 'unknown_item' },
      ],
    });
    const { runs } = (await operate('GET', `${path}/${source}/runs`)).json();
    expect(runs).toMatchObject([{ scope: 'changes', state: 'queued', started_by: 'operator' }]);
    // It is no run of the source as a whole.
    expect((await operate('GET', `${path}/${source}`)).json()).toMatchObject({ last_run: null, left: 2 });
  });

  test.each([
    [{}, 400, 'missing_field'],
    [{ addresses: Array.from({ length: 201 }, (_, at) => `/${at}`) }, 422, 'invalid_body'],
    [{ keys: [''] }, 422, 'invalid_body'],
    [{ keys: ['a'], deleted: 'yes' }, 422, 'invalid_body'],
  ])('are refused with %j: %i %s', async (body, status, code) => {
    expect(await codeOf('POST', `${path}/${await website()}/changed`, body)).toEqual([status, code]);
  });

  test('of a source of another workspace do not exist', async () => {
    const source = await website();
    const { id: other } = await makeWorkspace();
    const foreign = `/workspaces/${other}/sources/${source}`;
    const calls: readonly Parameters<typeof operate>[] = [
      ['POST', `${foreign}/changed`, { keys: ['a'] }],
      ['GET', `${foreign}/webhook`],
      ['PUT', `${foreign}/webhook`, {}],
      ['POST', `${foreign}/webhook/secret`],
      ['DELETE', `${foreign}/webhook`],
    ];
    for (const call of calls) expect(await codeOf(...call)).toEqual([404, 'source_not_found']);
  });
});

describe('the webhook of a source', () => {
  const push = JSON.stringify({
    ref: 'refs/heads/main',
    repository: { full_name: 'acme/docs', default_branch: 'main', pushed_at: Math.floor(Date.now() / 1_000) },
    commits: [{ added: ['docs/ä b.md'], modified: [], removed: [] }],
  });
  const post = (source: string, secret: string, payload = push) =>
    app.inject({
      ...{ method: 'POST', url: `/webhooks/sources/${source}`, payload },
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(push).digest('hex')}`,
      },
    });

  test('has an address of its own and a secret that is shown once, and takes calls of the tool', async () => {
    const source = await github();
    const made = (await operate('PUT', `${path}/${source}/webhook`)).json();
    expect(made).toMatchObject({
      ...{ state: 'on', secret_from: 'parley', secret: expect.stringMatching(/^[\w-]{43}$/) },
      address: `http://parley.example/webhooks/sources/${source}`,
    });
    expect((await operate('GET', `${path}/${source}/webhook`)).json()).toMatchObject({ secret: null });
    expect((await post(source, made.secret)).statusCode).toBe(200);
    const { runs } = (await operate('GET', `${path}/${source}/runs`)).json();
    expect(runs).toMatchObject([{ scope: 'changes', started_by: 'webhook github' }]);
    expect((await operate('GET', `${path}/${source}/webhook`)).json().called_at).not.toBeNull();
    // The signature is that of other bytes.
    expect((await post(source, made.secret, `${push} `)).statusCode).toBe(401);
    expect((await post(source, 'a guess')).statusCode).toBe(401);
  });

  test('does not exist before it is set up, for unknown sources and after it was removed', async () => {
    const source = await github();
    expect((await post(source, '')).statusCode).toBe(404);
    expect((await post('src_nobody', '')).statusCode).toBe(404);
    expect((await post('chan_x', '')).statusCode).toBe(404);
    await operate('PUT', `${path}/${source}/webhook`);
    expect((await operate('DELETE', `${path}/${source}/webhook`)).json()).toMatchObject({ state: 'off' });
    expect((await post(source, '')).statusCode).toBe(404);
  });

  test('is not offered for a website', async () => {
    expect(await codeOf('PUT', `${path}/${await website()}/webhook`)).toEqual([
      422,
      'source_hook_unavailable',
    ]);
  });
});
