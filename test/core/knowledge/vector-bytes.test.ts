import { expect, test } from 'vitest';
import { decodeVector, encodeVector } from '../../../core/knowledge/vectors.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

test.each(testEngines)('%s reads an encoded vector', async (engine) => {
  const { pool } = await openTestDatabase(engine);
  const vector = Float32Array.from([0.5, -1, 0, 3.25]);
  const { rows } = await pool.query('select ($1::vector)::text as text', [encodeVector(vector)]);
  expect(rows).toEqual([{ text: '[0.5,-1,0,3.25]' }]);
});

test.each(testEngines)('a vector sent by %s is decoded', async (engine) => {
  const { pool } = await openTestDatabase(engine);
  const { rows } = await pool.query("select vector_send('[0.5,-1,0,3.25]') as bytes");
  expect(decodeVector(rows[0].bytes)).toEqual(Float32Array.from([0.5, -1, 0, 3.25]));
  expect(decodeVector(encodeVector(Float32Array.from([0.1, 2])))).toEqual(Float32Array.from([0.1, 2]));
});
