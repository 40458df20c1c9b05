import { addLinear } from './linear-layer.ts';
import { type OnnxGraph, OnnxGraphBuilder, type StoredWeights } from './onnx-graph.ts';

interface BertShape {
  readonly layers: number;
  readonly heads: number;
  readonly hiddenSize: number;
  readonly layerNormEpsilon: number;
}

interface Residual {
  readonly value: string;
  readonly skip: string;
  /** Name of the weights of the normalisation that follows. */
  readonly norm: string;
}

/** No output of the Gelu function is further below zero. */
const GELU_DEPTH = 0.17;

/** A normalised value. */
interface Hidden {
  readonly value: string;
  /** Name of the normalisation's weights. */
  readonly norm: string;
}

/**
 * The graph of a BERT sentence encoder: word pieces of one text in (`pieces`, int32 [1, n], n >= 2), its
 * unit-length vector out (`vector`, float32 [1, hiddenSize]). Attention needs no mask and the mean no weights,
 * because one text at a time leaves no padding. The linear layers, most of the work, multiply 8-bit integers;
 * everything else is float32. The other weights stay as they are stored: what is cast here is folded when the graph
 * is loaded. Throws an EmbeddingError when a tensor is missing.
 */
export function bertGraph(weights: StoredWeights, shape: BertShape): OnnxGraph {
  const builder = new OnnxGraphBuilder(weights);
  const normalise = (residual: Residual) => addNormalisation(builder, residual, shape.layerNormEpsilon);
  let hidden = normalise(addEmbeddings(builder));
  for (let layer = 0; layer < shape.layers; layer++) {
    const prefix = `encoder.layer.${layer}`;
    hidden = normalise(addAttention(builder, hidden, { prefix, heads: shape.heads }));
    hidden = normalise(addFeedForward(builder, hidden, prefix));
  }
  const mean = builder.add('ReduceMean', [hidden.value], { axes: [1], keepdims: 0 });
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
  const words = lookUp('word_embeddings', 'pieces');
  return {
    value: builder.add('Add', [words, lookUp('token_type_embeddings', builder.integer(0))]),
    skip: lookUp('position_embeddings', positions),
    norm: 'embeddings.LayerNorm',
  };
}

function addAttention(
  builder: OnnxGraphBuilder,
  input: Hidden,
  { prefix, heads }: { prefix: string; heads: number },
): Residual {
  const parts = ['query', 'key', 'value'].map((part) =>
    addLinear(builder, input.value, { layer: `${prefix}.attention.self.${part}`, smoothAfter: input.norm }),
  );
  const attended = builder.fused('MultiHeadAttention', parts, { num_heads: heads });
  const output = `${prefix}.attention.output`;
  const value = addLinear(builder, attended, { layer: `${output}.dense` });
  return { value, skip: input.value, norm: `${output}.LayerNorm` };
}

function addFeedForward(builder: OnnxGraphBuilder, input: Hidden, prefix: string): Residual {
  const wideLayer = { layer: `${prefix}.intermediate.dense`, smoothAfter: input.norm };
  const wide = builder.fused('Gelu', [addLinear(builder, input.value, wideLayer)]);
  // Single words go far wider than the others here, so each is quantised by its own largest value.
  const largest = builder.add('ReduceMax', [wide], { axes: [-1], keepdims: 1 });
  const peaks = builder.add('Max', [largest, builder.float(GELU_DEPTH)]);
  // Dividing outright is slower.
  const even = builder.add('Mul', [wide, builder.add('Reciprocal', [peaks])]);
  const output = `${prefix}.output`;
  const product = addLinear(builder, even, { layer: `${output}.dense`, inputScale: peaks });
  return { value: product, skip: input.value, norm: `${output}.LayerNorm` };
}

function addNormalisation(builder: OnnxGraphBuilder, residual: Residual, epsilon: number): Hidden {
  const { value, skip, norm } = residual;
  // ONNX Runtime has a fused operator for this, which is five times slower than its parts.
  const sum = builder.add('Add', [value, skip]);
  const scale = [builder.vector(`${norm}.weight`), builder.vector(`${norm}.bias`)];
  const attributes = { axis: -1, epsilon: { float: epsilon } };
  return { value: builder.add('LayerNormalization', [sum, ...scale], attributes), norm };
}
