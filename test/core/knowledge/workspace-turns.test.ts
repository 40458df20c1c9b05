import { expect, test } from 'vitest';
import { WorkspaceTurns } from '../../../core/knowledge/indexing/ingest-jobs.ts';

test('runs up to the limit of documents per workspace, and the others in order', () => {
  const turns = new WorkspaceTurns(2);
  expect(['a1', 'a2', 'a3', 'a4', 'a3'].map((id) => turns.enter('a', id))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(turns.enter('b', 'b1')).toBe(true);
  expect(turns.leave('b')).toBeUndefined();
  expect([turns.leave('a'), turns.leave('a'), turns.leave('a')]).toEqual(['a3', 'a4', undefined]);
  expect(turns.enter('a', 'a5')).toBe(true);
});
