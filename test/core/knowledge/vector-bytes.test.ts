import { expect, test } from 'vitest';
import { vectorBytes } from '../../../core/knowledge/vector-bytes.ts';
import { openTestDatabase, testEngines } from '../../helpers/test-databases.ts';

test.each(testEngines)('%s reads the bytes of a vector as the vector', async (engine) => {
  const { pool } = await openTestDatabase(engine);
  const vector = Float32Array.from([0.5, -1, 0, 3.25]);
  const { rows } = await pool.query('select ($1::vector)::text as text', [vectorBytes(vector)]);
  expect(rows).toEqual([{ text: '[0.5,-1,0,3.25]' }]);
});
