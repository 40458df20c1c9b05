/** Numbers of a vector, as the column of the vectors takes them. */
export const VECTOR_DIMENSIONS = 384;

const headerBytes = 4;
const { BYTES_PER_ELEMENT } = Float32Array;

/** A vector as pgvector sends it over the wire: as text it would take longer to read than to compare. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(headerBytes + vector.length * BYTES_PER_ELEMENT);
  bytes.writeInt16BE(vector.length, 0);
  let at = headerBytes;
  for (const value of vector) at = bytes.writeFloatBE(value, at);
  return bytes;
}

/** What `vectorBytes` made, or pgvector sent. */
export function decodeVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getInt16(0));
  for (let at = 0; at < vector.length; at += 1) {
    vector[at] = view.getFloat32(headerBytes + at * BYTES_PER_ELEMENT);
  }
  return vector;
}
