import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../core/base/clock.ts';
import {
  fileLimits,
  findUnsentFiles,
  findVisitorFile,
  storeFile,
} from '../../../core/visitors/visitor-files.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestVisitors } from '../../helpers/stores/open-test-visitors.ts';

describe.each(testEngines)('files of visitors on %s', async (engine) => {
  const opened = await openTestVisitors(engine);
  const { database, workspaceId } = opened;
  const { kysely } = database;
  const stores = { database, clock: systemClock };
  const arrive = async () => (await opened.arrive()).visitor;
  const keep = (visitor: Awaited<ReturnType<typeof arrive>>, text: string) =>
    storeFile(stores, visitor, { name: 'story.txt', bytes: Buffer.from(text) });

  test('are returned unchanged, only within the conversation they were sent in, and can be sent once', async () => {
    const visitor = await arrive();
    const text = 'Grüße — from every byte\r\n';
    const { reference: id } = await keep(visitor, text);
    const conversationId = await opened.begin(visitor.id);
    expect(await findVisitorFile(kysely, { workspaceId, conversationId, id })).toBeNull();
    await sql`select send_visitor_files(${conversationId}, ${visitor.id}, ${[id]})`.execute(kysely);
    const file = await findVisitorFile(kysely, { workspaceId, conversationId, id });
    expect(Buffer.from(file?.body ?? []).toString()).toBe(text);
    expect(await findVisitorFile(kysely, { workspaceId: 'ws_other', conversationId, id })).toBeNull();
    await expect(findUnsentFiles(kysely, visitor, [id])).rejects.toMatchObject({
      code: 'attachment_not_found',
    });
  });

  test('are counted one after the other if uploaded concurrently', async () => {
    const visitor = await arrive();
    for (let kept = 1; kept < fileLimits.ofVisitorADay; kept += 1) await keep(visitor, `number ${kept}`);
    const both = await Promise.allSettled([keep(visitor, 'the last'), keep(visitor, 'one too many')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
