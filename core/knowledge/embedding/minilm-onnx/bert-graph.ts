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
  /** Name prefix of the weights of the layer normalisation that follows. */
  readonly norm: string;
}

/** Absolute value of the lowest output of Gelu, rounded up. */
const GELU_MAX_NEGATIVE = 0.17;

/** A normalised value. */
interface Hidden {
  readonly value: string;
  /** Name prefix of the normalisation's weights. */
  readonly norm: string;
}

/**
 * Returns the graph of a BERT sentence encoder. Its input is the word pieces of one text (`pieces`, int32 [1, n], n
 * >= 2). Output: its unit-length vector (`vector`, float32 [1, hiddenSize]). One text per run means no padding, so
 * attention needs no mask and the mean no weights. The linear layers, which are most of the work, multiply 8-bit
 * integers; everything else is float32. Other weights keep their stored type: their casts are folded when the graph
 * is loaded. Throws an EmbeddingError if a tensor is missing.
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
  // Cast after the look-up: casting the whole table to float32 would take another 23 MB of memory.
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
  // The range differs far between words here, so each word is quantised by its own largest value.
  const largest = builder.add('ReduceMax', [wide], { axes: [-1], keepdims: 1 });
  const peaks = builder.add('Max', [largest, builder.float(GELU_MAX_NEGATIVE)]);
  // Multiplying by the reciprocal is faster than dividing.
  const scaled = builder.add('Mul', [wide, builder.add('Reciprocal', [peaks])]);
  const output = `${prefix}.output`;
  const product = addLinear(builder, scaled, { layer: `${output}.dense`, inputScale: peaks });
  return { value: product, skip: input.value, norm: `${output}.LayerNorm` };
}

function addNormalisation(builder: OnnxGraphBuilder, residual: Residual, epsilon: number): Hidden {
  const { value, skip, norm } = residual;
  // ONNX Runtime's fused operator for this is five times slower than the separate operators.
  const sum = builder.add('Add', [value, skip]);
  const scale = [builder.vector(`${norm}.weight`), builder.vector(`${norm}.bias`)];
  const attributes = { axis: -1, epsilon: { float: epsilon } };
  return { value: builder.add('LayerNormalization', [sum, ...scale], attributes), norm };
}
