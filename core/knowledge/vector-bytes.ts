const headerBytes = 4;

/** A vector as pgvector sends it over the wire: as text it would take longer to read than to compare. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(headerBytes + vector.length * Float32Array.BYTES_PER_ELEMENT);
  bytes.writeInt16BE(vector.length, 0);
  for (const [index, value] of vector.entries()) bytes.writeFloatBE(value, headerBytes + index * 4);
  return bytes;
}
