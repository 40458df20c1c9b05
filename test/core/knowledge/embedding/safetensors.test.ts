import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  readSafetensorsHeader,
  readTensor,
} from '../../../../core/knowledge/embedding/minilm-onnx/safetensors.ts';

const folder = mkdtempSync(join(tmpdir(), 'safetensors-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeFile(header: object, data = Buffer.alloc(0)): string {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const path = join(folder, 'model.safetensors');
  writeFileSync(path, Buffer.concat([length, json, data]));
  return path;
}

describe('readSafetensorsHeader', () => {
  it('returns offsets from the start of the file', () => {
    const header = {
      __metadata__: { format: 'pt' },
      first: { dtype: 'F32', shape: [1], data_offsets: [0, 4] },
      second: { dtype: 'F16', shape: [2, 1], data_offsets: [4, 8] },
    };
    const path = writeFile(header, Buffer.alloc(8));
    const dataBegin = 8 + JSON.stringify(header).length;
    expect(Object.fromEntries(readSafetensorsHeader(path))).toEqual({
      first: { type: 'F32', shape: [1], offset: dataBegin, length: 4 },
      second: { type: 'F16', shape: [2, 1], offset: dataBegin + 4, length: 4 },
    });
  });

  it('omits tensors that are not floating-point', () => {
    const path = writeFile({ positions: { dtype: 'I64', shape: [1], data_offsets: [0, 8] } });
    expect(readSafetensorsHeader(path).size).toBe(0);
  });

  it('rejects a truncated file', () => {
    const path = join(folder, 'short.safetensors');
    writeFileSync(path, Buffer.from([200, 0, 0, 0, 0, 0, 0, 0, 123]));
    expect(() => readSafetensorsHeader(path)).toThrow(/truncated. Install the packages again/);
  });
});

describe('readTensor', () => {
  it('reads both widths', () => {
    const header = {
      half: { dtype: 'F16', shape: [3], data_offsets: [0, 6] },
      single: { dtype: 'F32', shape: [2], data_offsets: [6, 14] },
    };
    const data = Buffer.concat([
      Buffer.from(new Float16Array([1.5, -0.25, 1024]).buffer),
      Buffer.from(new Float32Array([0.1, -7]).buffer),
    ]);
    const path = writeFile(header, data);
    const [half, single] = [...readSafetensorsHeader(path).values()].map((tensor) =>
      readTensor(path, tensor),
    );
    expect(half).toEqual(Float32Array.of(1.5, -0.25, 1024));
    expect(single).toEqual(Float32Array.of(0.1, -7));
  });

  it('rejects a truncated file', () => {
    const path = writeFile({ cut: { dtype: 'F16', shape: [3], data_offsets: [0, 6] } }, Buffer.alloc(4));
    const [tensor] = readSafetensorsHeader(path).values();
    if (tensor === undefined) expect.unreachable();
    expect(() => readTensor(path, tensor)).toThrow(/truncated. Install the packages again/);
  });
});
