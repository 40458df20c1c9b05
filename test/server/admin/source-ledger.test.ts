import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { requeueRuns } from '../../../core/sources/runs/run-queue.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { markedPage, origin, WebsiteBench } from '../../helpers/sources/websites/website-bench.ts';

const { operate, makeWorkspace, runtime } = await openTestServer();
const database = runtime.database.kysely;
const { id: workspace } = await makeWorkspace();
const { id: other } = await makeWorkspace();
const bench = await WebsiteBench.open(runtime.database, workspace);

const article = (name: string) =>
  `<nav><a href="/">Home</a> <a href="/b">More</a></nav><h1>${name}</h1><p>All about ${name}: it weighs ${name.length} kilograms.</p>
<table><tr><th>Day</th><th>Open</th></tr><tr><td>Monday</td><td>nine to five</td></tr></table><ul><li>First ${name}</li></ul>`;
const site = Object.fromEntries(
  Array.from({ length: 14 }, (_, place) => {
    const name = `item ${String.fromCodePoint(97 + place)}`;
    return [`/${name.replace(' ', '-')}`, markedPage(article(name), name)];
  }),
);
await bench.read(site);

const key = `${origin}/item-c`;
const path = `/workspaces/${workspace}/sources/${bench.id}`;
const ledgerOf = async (item = key) =>
  (await operate('GET', `${path}/ledger?key=${encodeURIComponent(item)}`)).json();
const codeOf = async (...call: Parameters<typeof operate>) => {
  const response = await operate(...call);
  return [response.statusCode, response.json().code];
};
const audit = async () => {
  const { audit_log: entries } = (
    await operate('GET', `/workspaces/${workspace}/audit-log?limit=100`)
  ).json();
  return entries.map(({ action }: { action: string }) => action);
};

interface Block {
  readonly text: string;
  readonly hash: string;
  readonly kept: boolean;
  readonly reason: string | null;
}

const blockOf = async (text: string): Promise<Block | undefined> =>
  (await ledgerOf()).blocks.find((block: Block) => block.text === text);

describe.sequential('the ledger of a page', () => {
  test('lists its blocks in order, with the reason for each that was cut', async () => {
    const { blocks, ...ledger } = await ledgerOf();
    expect(
      blocks.map(({ kind, text, kept, reason }: Block & { kind: string }) => [kind, text, kept || reason]),
    ).toEqual([
      ['text', 'Products', 'template'],
      ['text', 'Prices for all of them', 'template'],
      ['links', 'Home More', 'menu'],
      ['heading', 'item c', true],
      ['text', 'All about item c: it weighs 6 kilograms.', true],
      ['table', 'Day Open Monday nine to five', 'template'],
      ['item', 'First item c', true],
      ['text', 'Copyright by Acme', 'template'],
    ]);
    expect(blocks.at(-1).pages).toEqual({ having: 14, looked: 14 });
    expect(blocks[5].rows).toEqual([
      ['Day', 'Open'],
      ['Monday', 'nine to five'],
    ]);
    expect(ledger).toMatchObject({
      ...{ key, title: 'item c', state: 'current', answered: 'newest', cut_now: true, rules: [] },
      ...{ fetched_at: expect.any(String), cut_at: expect.any(String) },
      answers: { count: 0, latest: [] },
    });
  });

  test('names the answers that rest on it, with their questions', async () => {
    const { document_id: document } = await ledgerOf();
    const at = runtime.clock.now();
    const sources = JSON.stringify([
      { documentId: document, chunkId: 'c', score: 0.9, chunk: 'It weighs 6 kilograms.' },
    ]);
    await sql`
      insert into conversation (id, workspace_id, channel, status, started_at, last_message_at, message_count)
      values ('conv_ledger', ${workspace}, 'api', 'open', ${at}, ${at}, 2)
    `.execute(database);
    await sql`
      insert into message (id, conversation_id, workspace_id, position, role, content, created_at, sources, confidence)
      values ('msg_q', 'conv_ledger', ${workspace}, 0, 'user', 'How heavy is c?', ${at}, null, null),
             ('msg_a', 'conv_ledger', ${workspace}, 1, 'assistant', '6 kg.', ${at}, ${sources}::jsonb, 'high')
    `.execute(database);
    expect((await ledgerOf()).answers.latest).toEqual([
      {
        ...{ message_id: 'msg_a', conversation_id: 'conv_ledger', question: 'How heavy is c?' },
        ...{ at: at.toISOString(), confidence: 'high', feedback: null, passages: ['It weighs 6 kilograms.'] },
      },
    ]);
    expect((await ledgerOf(`${origin}/item-d`)).answers.latest).toEqual([]);
  });

  test('a block that is taken back becomes a rule, which is listed, audited and removable', async () => {
    const table = await blockOf('Day Open Monday nine to five');
    const response = await operate('POST', `${path}/rules`, { key, block: table?.hash, action: 'keep' });
    expect(response.statusCode).toBe(201);
    const rule = response.json();
    expect(rule).toMatchObject({ key, action: 'keep', sample: 'Day Open Monday nine to five' });
    expect(await ledgerOf()).toMatchObject({ cut_now: false, rules: [rule] });
    await requeueRuns(database, new Date(runtime.clock.now().getTime() + 1_000), bench.waking);
    await bench.finish();
    expect(bench.added[0]).toContain('nine to five');
    expect((await ledgerOf()).cut_now).toBe(true);
    expect(await blockOf('Day Open Monday nine to five')).toMatchObject({ kept: true, reason: null });
    expect((await operate('GET', `${path}/rules`)).json().rules).toEqual([rule]);
    expect((await operate('DELETE', `${path}/rules/${rule.id}`)).statusCode).toBe(204);
    expect((await operate('GET', `${path}/rules`)).json().rules).toEqual([]);
    expect(await audit()).toEqual(expect.arrayContaining(['source_rule_added', 'source_rule_removed']));
  });

  test('a source tells how much of it answers and since when', async () => {
    const source = (await operate('GET', path)).json();
    expect(source).toMatchObject({ coverage: { listed: 14, answered: 14 }, as_of: expect.any(String) });
    expect(source.last_run.cut_only).toBe(true);
  });

  test('is refused for what is not there, and to other workspaces', async () => {
    const foreign = `/workspaces/${other}/sources/${bench.id}`;
    const query = `ledger?key=${encodeURIComponent(key)}`;
    const rule = { key, block: 'bnothing', action: 'keep' };
    expect(await codeOf('GET', `${foreign}/${query}`)).toEqual([404, 'source_not_found']);
    expect(await codeOf('POST', `${foreign}/rules`, rule)).toEqual([404, 'source_not_found']);
    expect(await codeOf('GET', `${foreign}/rules`)).toEqual([404, 'source_not_found']);
    expect(await codeOf('DELETE', `${foreign}/rules/rule_1`)).toEqual([404, 'source_not_found']);
    expect(await codeOf('GET', `${path}/ledger?key=nothing`)).toEqual([404, 'source_item_not_found']);
    expect(await codeOf('POST', `${path}/rules`, rule)).toEqual([404, 'source_block_not_found']);
    expect(await codeOf('POST', `${path}/rules`, { ...rule, action: 'burn' })).toEqual([
      422,
      'invalid_action',
    ]);
    expect(await codeOf('DELETE', `${path}/rules/rule_1`)).toEqual([404, 'source_rule_not_found']);
  });
});
