import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../core/contract/actor.ts';
import { microsoftKind } from '../../../core/sources/tools/drives/microsoft.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { GraphStandIn, MicrosoftTokenStandIn } from '../../helpers/sources/tools/microsoft.ts';
import { ToolBench } from '../../helpers/sources/tools/tool-bench.ts';
import { openTestDatabase } from '../../helpers/stores/databases/test-databases.ts';

const settings = { site: 'https://acme.sharepoint.com/sites/help' };
const credentials = { tenant_id: 'acme.onmicrosoft.com', client_id: 'app', client_secret: 'right-secret' };

describe('runs of a tool that tells its changes', async () => {
  const database = await openTestDatabase('embedded');

  async function open() {
    const graph = new GraphStandIn();
    for (const id of ['a', 'b', 'c', 'd', 'e']) graph.set(id, { text: `Text of ${id}.` });
    const tool = new ToolBench(microsoftKind, { settings, credentials }, graph, new MicrosoftTokenStandIn());
    const bench = new SourceBench(database, [microsoftKind]);
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, { kind: 'sharepoint', settings, credentials });
    const fetch = tool.fetch.bind(tool);
    const run = async (isFull = false) => {
      tool.calls.length = 0;
      const done = await bench.run(workspaceId, id, { fetch, isFull });
      await bench.index(workspaceId);
      return done;
    };
    const deltas = () => tool.calls.filter(({ path }) => path.at(-1) === 'delta').length;
    const reads = () =>
      tool.calls.filter(({ path }) => path.at(-1) === 'content').map(({ path }) => path.at(-2));
    return { graph, tool, bench, workspaceId, id, run, deltas, reads, fetch };
  }

  test('ask for everything once, and then for what has changed', async () => {
    const { graph, bench, workspaceId, id, run, deltas, reads } = await open();
    expect(await run()).toMatchObject({ state: 'finished', code: null });
    expect(deltas()).toBe(3);
    await run();
    expect([deltas(), reads()]).toEqual([1, []]);
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 5, unchanged: 5 });
    graph.set('b', { text: 'Other.', eTag: '2' });
    graph.set('f', { text: 'New.' });
    graph.delete('c');
    await run();
    expect(reads().sort()).toEqual(['b', 'f']);
    expect(await bench.titles(workspaceId)).toEqual(['a.md 1', 'b.md 2', 'd.md 1', 'e.md 1', 'f.md 1']);
  });

  test('read again what failed, although it has not changed', async () => {
    const { graph, bench, workspaceId, run, reads } = await open();
    graph.forbidden.add('b');
    await run();
    graph.forbidden.clear();
    await run();
    expect(reads()).toEqual(['b']);
    expect(await bench.titles(workspaceId)).toHaveLength(5);
  });

  test('ask for everything if the tool has forgotten the place, if the settings change, and in a full run', async () => {
    const { graph, tool, bench, workspaceId, id, run, deltas, fetch } = await open();
    await run();
    graph.forget();
    graph.delete('e');
    expect(await run()).toMatchObject({ state: 'finished', code: null });
    expect(deltas()).toBe(4);
    await run();
    expect(deltas()).toBe(1);
    expect((await bench.titles(workspaceId)).length).toBe(4);
    await run(true);
    expect(deltas()).toBe(3);
    tool.calls.length = 0;
    await bench.sources.change({ workspaceId, id, actor: namedActor('Ann') }, { exclude: ['/none/**'] });
    await bench.work({ fetch });
    expect(deltas()).toBe(3);
  });
});
