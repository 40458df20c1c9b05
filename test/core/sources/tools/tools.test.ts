import { describe, expect, test } from 'vitest';
import { sourceKinds } from '../../../../core/sources/source-kinds.ts';
import { describeValues } from '../../../../core/sources/source-values.ts';
import { zendeskKind } from '../../../../core/sources/tools/help-centers/zendesk.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { ToolBench } from '../../../helpers/sources/tools/tool-bench.ts';
import { ZendeskStandIn } from '../../../helpers/sources/tools/zendesk.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';

const settings = { subdomain: 'acme' };
const credentials = { email: 'ann@acme.example', api_token: 'right-token' };

describe('runs of a tool', async () => {
  const database = await openTestDatabase('embedded');

  async function open() {
    const zendesk = new ZendeskStandIn();
    for (const id of [1, 2, 3]) zendesk.set(id);
    const tool = new ToolBench(zendeskKind, { settings, credentials }, zendesk);
    const bench = new SourceBench(database, [zendeskKind]);
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, { kind: 'zendesk', settings, credentials });
    const fetch = tool.fetch.bind(tool);
    return { zendesk, tool, bench, workspaceId, id, run: () => bench.run(workspaceId, id, { fetch }) };
  }

  test('keep documents in step, and read again only what has changed', async () => {
    const { zendesk, tool, bench, workspaceId, id, run } = await open();
    expect(await run()).toMatchObject({ state: 'finished', code: null });
    expect(await bench.titles(workspaceId)).toEqual(['Article 1 1', 'Article 2 1', 'Article 3 1']);
    zendesk.set(1, { body: '<p>New</p>', updated_at: '2026-02-01T00:00:00Z' });
    zendesk.set(2, { draft: true });
    zendesk.articles.delete(3);
    tool.calls.length = 0;
    await run();
    expect(tool.calls.map(({ path }) => path.at(-1))).toEqual(['articles.json', 'attachments.json']);
    expect(await bench.titles(workspaceId)).toEqual(['Article 1 2', 'Article 3 1']);
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['Article 1 2']);
    expect(await bench.states(id)).toEqual([
      '1 current',
      '2 skipped draft',
      expect.stringContaining('3 gone'),
    ]);
  });

  test('wait for a limit, and fail with the words of the tool, but without the token', async () => {
    const { tool, bench, workspaceId, run } = await open();
    tool.next.push({ status: 429, headers: { 'retry-after': '90' } });
    expect(await run()).toMatchObject({ state: 'finished', code: null });
    tool.next.push({ status: 401, json: { error: 'The token right-token is not valid' } });
    expect(await run()).toMatchObject({ state: 'failed', code: 'source_refused' });
    const { reason } = await bench.lastRun(
      workspaceId,
      (await bench.sources.list(workspaceId, { limit: 1 })).items[0]?.id ?? '',
    );
    expect(reason).toBe('Zendesk answers with status 401: The token ••• is not valid');
    expect(await bench.titles(workspaceId)).toHaveLength(3);
  });
});

test('every setting and credential of every kind is described, and secrets are marked', () => {
  for (const { kind, settings: own, credentials: secrets } of sourceKinds({ folders: [] })) {
    const fields = { ...describeValues(own).properties, ...describeValues(secrets).properties };
    for (const [name, field] of Object.entries(fields)) {
      expect(field, `${kind}.${name}`).toMatchObject({ description: expect.stringMatching(/\.$/) });
      const isSecret = /token|secret|service_account/.test(name);
      if (isSecret) expect(field, `${kind}.${name}`).toMatchObject({ format: 'password' });
    }
  }
});
