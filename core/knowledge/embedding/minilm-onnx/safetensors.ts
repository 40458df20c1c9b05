import { closeSync, openSync, readSync } from 'node:fs';
import { EmbeddingError } from '../embedder.ts';

/** The location of one tensor in a safetensors file. */
export interface StoredTensor {
  readonly type: 'F16' | 'F32';
  readonly shape: readonly number[];
  /** The offset in bytes from the start of the file. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

const LENGTH_FIELD_BYTES = 8;

/**
 * Reads the header of a safetensors file and returns the location of each floating-point tensor, by name.
 * Throws if the file is missing or truncated.
 */
export function readSafetensorsHeader(path: string): ReadonlyMap<string, StoredTensor> {
  const file = openSync(path, 'r');
  try {
    const headerLength = Number(readBytes(file, 0, LENGTH_FIELD_BYTES).readBigUInt64LE());
    const header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }> =
      JSON.parse(readBytes(file, LENGTH_FIELD_BYTES, headerLength).toString('utf8'));
    const tensors = new Map<string, StoredTensor>();
    for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
      if (dtype !== 'F16' && dtype !== 'F32') continue;
      const [begin, end] = data_offsets;
      tensors.set(name, {
        type: dtype,
        shape,
        offset: LENGTH_FIELD_BYTES + headerLength + begin,
        length: end - begin,
      });
    }
    return tensors;
  } finally {
    closeSync(file);
  }
}

/** Reads the numbers of a tensor as float32. Throws if the file is missing or truncated. */
export function readTensor(path: string, tensor: StoredTensor): Float32Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const { buffer, byteOffset } = readBytes(file, tensor.offset, tensor.length);
    if (tensor.type === 'F32') return new Float32Array(buffer, byteOffset, tensor.length / 4);
    return new Float32Array(new Float16Array(buffer, byteOffset, tensor.length / 2));
  } finally {
    closeSync(file);
  }
}

function readBytes(file: number, position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length);
  const read = readSync(file, bytes, 0, length, position);
  if (read < length)
    throw new EmbeddingError('The model weights are truncated. Install the packages again with `npm ci`.');
  return bytes;
}
