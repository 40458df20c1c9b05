import type { OnnxGraph } from './onnx-graph.ts';
import { OnnxGraphBuilder } from './onnx-graph-builder.ts';
import type { StoredTensor } from './safetensors.ts';

export interface BertShape {
  readonly layers: number;
  readonly heads: number;
  readonly hiddenSize: number;
  readonly layerNormEpsilon: number;
}

interface Residual {
  readonly value: string;
  readonly skip: string;
  readonly bias: string;
  /** Name of the normalisation's weights. */
  readonly norm: string;
}

/**
 * The graph of a BERT sentence encoder: word pieces of one text in (`pieces`, int32 [1, n], n >= 2), its
 * unit-length vector out (`vector`, float32 [1, hiddenSize]). Attention needs no mask and the mean no weights,
 * because one text at a time leaves no padding. Weights stay as they are stored; what is cast, transposed or
 * joined here is folded when the graph is loaded. Throws an EmbeddingError when a tensor is missing.
 */
export function bertGraph(stored: ReadonlyMap<string, StoredTensor>, shape: BertShape): OnnxGraph {
  const builder = new OnnxGraphBuilder(stored);
  const normalise = (residual: Residual) => addNormalisation(builder, residual, shape.layerNormEpsilon);
  let hidden = normalise(addEmbeddings(builder));
  for (let layer = 0; layer < shape.layers; layer++) {
    const prefix = `encoder.layer.${layer}`;
    hidden = normalise(addAttention(builder, hidden, { prefix, heads: shape.heads }));
    hidden = normalise(addFeedForward(builder, hidden, prefix));
  }
  const mean = builder.add('ReduceMean', [hidden], { axes: [1], keepdims: 0 });
  const vector = builder.add('LpNormalization', [mean], { axis: 1, p: 2 }, { output: 'vector' });
  return {
    inputs: [{ name: 'pieces', type: 'int32', shape: [1, 'pieces'] }],
    outputs: [{ name: vector, type: 'float32', shape: [1, shape.hiddenSize] }],
    tensors: builder.tensors,
    nodes: builder.nodes,
  };
}

function addEmbeddings(builder: OnnxGraphBuilder): Residual {
  const count = builder.add('Size', ['pieces']);
  const positions = builder.add('Range', [builder.integer(0), count, builder.integer(1)]);
  // Cast after the look-up: the whole table as float32 would cost another 23 MB of memory.
  const lookUp = (table: string, rows: string) =>
    builder.cast(builder.add('Gather', [builder.stored(`embeddings.${table}.weight`), rows]));
  return {
    value: lookUp('word_embeddings', 'pieces'),
    skip: lookUp('position_embeddings', positions),
    bias: lookUp('token_type_embeddings', builder.integer(0)),
    norm: 'embeddings.LayerNorm',
  };
}

function addAttention(
  builder: OnnxGraphBuilder,
  input: string,
  { prefix, heads }: { prefix: string; heads: number },
): Residual {
  const parts = ['query', 'key', 'value'].map((part) => `${prefix}.attention.self.${part}`);
  const weights = parts.map((part) => builder.matrix(`${part}.weight`));
  const biases = parts.map((part) => builder.vector(`${part}.bias`));
  const joined = [builder.add('Concat', weights, { axis: 1 }), builder.add('Concat', biases, { axis: 0 })];
  const attended = builder.fused('Attention', [input, ...joined], { num_heads: heads });
  const output = `${prefix}.attention.output`;
  return {
    value: builder.add('MatMul', [attended, builder.matrix(`${output}.dense.weight`)]),
    skip: input,
    bias: builder.vector(`${output}.dense.bias`),
    norm: `${output}.LayerNorm`,
  };
}

function addFeedForward(builder: OnnxGraphBuilder, input: string, prefix: string): Residual {
  const wide = `${prefix}.intermediate.dense`;
  const product = builder.add('MatMul', [input, builder.matrix(`${wide}.weight`)]);
  const active = builder.fused('BiasGelu', [product, builder.vector(`${wide}.bias`)]);
  return {
    value: builder.add('MatMul', [active, builder.matrix(`${prefix}.output.dense.weight`)]),
    skip: input,
    bias: builder.vector(`${prefix}.output.dense.bias`),
    norm: `${prefix}.output.LayerNorm`,
  };
}

function addNormalisation(builder: OnnxGraphBuilder, residual: Residual, epsilon: number): string {
  const { value, skip, bias, norm } = residual;
  // ONNX Runtime has a fused operator for this, which is five times slower than its parts.
  const sum = builder.add('Add', [builder.add('Add', [value, bias]), skip]);
  const scale = [builder.vector(`${norm}.weight`), builder.vector(`${norm}.bias`)];
  return builder.add('LayerNormalization', [sum, ...scale], { axis: -1, epsilon: { float: epsilon } });
}
