import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/**
 * Selects `chunk_id`, `scope_id`, `in_graph` and `embedding` of all vectors of a model, as `vector`. Those of the built-in
 * model, number 0, have a table of their own.
 */
export function selectVectors(database: Kysely<Tables>, modelId: number) {
  const columns = ['chunk_id', 'scope_id', 'in_graph', 'embedding'] as const;
  return database.selectFrom(
    modelId === 0
      ? database.selectFrom('chunk_vector').select(columns).as('vector')
      : database.selectFrom('model_vector').select(columns).where('model_id', '=', modelId).as('vector'),
  );
}

/** A question's vector for the choice of candidates. */
export interface WeighedVector {
  /** A vector of unit length. */
  readonly values: Float32Array;
  /** The embedding model; the built-in one, number 0, if absent. */
  readonly modelId?: number;
  /** Share of the cosine in the choice, above 0 and at most 1; words have the rest. */
  readonly weight: number;
}

const headerBytes = 4;
const { BYTES_PER_ELEMENT } = Float32Array;

/** Encodes a vector in pgvector's binary wire format; parsing the text format takes longer than the comparison. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(headerBytes + vector.length * BYTES_PER_ELEMENT);
  bytes.writeInt16BE(vector.length, 0);
  let at = headerBytes;
  for (const value of vector) at = bytes.writeFloatBE(value, at);
  return bytes;
}

/** Decodes a vector in pgvector's binary wire format. */
export function decodeVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getInt16(0));
  for (let at = 0; at < vector.length; at += 1) {
    vector[at] = view.getFloat32(headerBytes + at * BYTES_PER_ELEMENT);
  }
  return vector;
}
