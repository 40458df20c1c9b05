import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { rebuildIndex } from '../../../core/knowledge/indexing/rebuild-index.ts';
import { createLog } from '../../../core/log.ts';
import { Settings } from '../../../core/storage/settings.ts';
import { KnowledgeBase } from '../../helpers/stores/knowledge-base.ts';
import { openTestDatabase } from '../../helpers/stores/test-databases.ts';

const database = await openTestDatabase('embedded');
const base = new KnowledgeBase(database);
const settings = new Settings(database.kysely);
const rebuild = () => rebuildIndex({ database, log: createLog('silent'), settings });

test('an index of another version is rebuilt and finds the same', async () => {
  const workspace = await base.workspace();
  await base.add(
    workspace,
    '## Lid\n\nThe lid of the kettle is glass.\n\n## Cord\n\nThe cord of the kettle is long.',
  );
  await rebuild();
  const before = await base.search(workspace, 'What is the lid made of?');
  await settings.set('index_version', '0');
  await sql`update posting set term = term + 1`.execute(database.kysely);
  expect(await base.search(workspace, 'What is the lid made of?')).not.toEqual(before);
  await rebuild();
  expect(await base.search(workspace, 'What is the lid made of?')).toEqual(before);
});

test('an index of this version is not rebuilt', async () => {
  base.embedder.embedded.length = 0;
  await rebuild();
  expect(base.embedder.embedded).toEqual([]);
});
