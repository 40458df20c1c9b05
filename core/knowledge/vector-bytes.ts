const headerBytes = 4;
const { BYTES_PER_ELEMENT } = Float32Array;

/** A vector as pgvector sends it over the wire: as text it would take longer to read than to compare. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(headerBytes + vector.length * BYTES_PER_ELEMENT);
  bytes.writeInt16BE(vector.length, 0);
  let at = headerBytes;
  for (const value of vector) at = bytes.writeFloatBE(value, at);
  return bytes;
}
