import { closeSync, openSync, readSync } from 'node:fs';
import { EmbeddingError } from '../embedder.ts';

/** One tensor of a safetensors file. */
export interface StoredTensor {
  readonly type: 'F16' | 'F32';
  readonly shape: readonly number[];
  /** Bytes from the beginning of the file. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

const LENGTH_FIELD = 8;

/**
 * Where each floating-point tensor of a safetensors file lies, by name. Only the header is read.
 * Throws when the file is missing or cut short.
 */
export function readSafetensorsHeader(path: string): ReadonlyMap<string, StoredTensor> {
  const file = openSync(path, 'r');
  try {
    const headerLength = Number(readBytes(file, 0, LENGTH_FIELD).readBigUInt64LE());
    const header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }> =
      JSON.parse(readBytes(file, LENGTH_FIELD, headerLength).toString('utf8'));
    const tensors = new Map<string, StoredTensor>();
    for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
      if (dtype !== 'F16' && dtype !== 'F32') continue;
      const [begin, end] = data_offsets;
      tensors.set(name, {
        type: dtype,
        shape,
        offset: LENGTH_FIELD + headerLength + begin,
        length: end - begin,
      });
    }
    return tensors;
  } finally {
    closeSync(file);
  }
}

/** The numbers of a tensor. Throws when the file is missing or cut short. */
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
  if (read < length) throw new EmbeddingError('The model weights are cut short: install the packages again.');
  return bytes;
}
