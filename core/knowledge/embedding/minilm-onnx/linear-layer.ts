import type { OnnxGraphBuilder } from './onnx-graph.ts';

interface LinearOptions {
  /** Name prefix of the stored weights. */
  readonly layer: string;
  /** Name prefix of the layer normalisation that produces the input. If set, the inputs are smoothed. */
  readonly smoothAfter?: string;
  /** Divisor of each input row; the product is multiplied by it again. */
  readonly inputScale?: string;
}

/** Omits the optional zero point: weights are quantised symmetrically around zero. */
const NO_ZERO_POINT = '';
/** Standard deviations that count as the range of a normalised value. */
const RANGE_DEVIATIONS = 3;

/**
 * Adds a linear layer on float32 rows and returns the name of its float32 output. The weights are quantised here, once.
 * The runtime quantises the input in every run, with one scale for the whole input.
 */
export function addLinear(builder: OnnxGraphBuilder, input: string, options: LinearOptions): string {
  const { layer, smoothAfter, inputScale } = options;
  const bias = builder.vector(`${layer}.bias`);
  const smoothed =
    smoothAfter === undefined ? undefined : addSmoothing(builder, input, { layer, smoothAfter });
  const { weights, value } = smoothed ?? { weights: builder.read(`${layer}.weight`), value: input };
  const outputs = builder.read(`${layer}.bias`).length;
  const { values, scales } = quantiseMatrix(weights, outputs);
  const quantised = [
    builder.made(`${layer}.values`, [weights.length / outputs, outputs], values),
    builder.made(`${layer}.scales`, [outputs], scales),
  ];
  if (inputScale === undefined)
    return builder.fused('DynamicQuantizeMatMul', [value, ...quantised, NO_ZERO_POINT, bias]);
  const product = builder.fused('DynamicQuantizeMatMul', [value, ...quantised]);
  return builder.add('Add', [builder.add('Mul', [product, inputScale]), bias]);
}

function addSmoothing(
  builder: OnnxGraphBuilder,
  input: string,
  { layer, smoothAfter }: { layer: string; smoothAfter: string },
): { weights: Float32Array; value: string } {
  const centres = builder.read(`${smoothAfter}.bias`);
  const deviations = builder.read(`${smoothAfter}.weight`);
  const ranges = centres.map(
    (centre, index) => Math.abs(centre) + RANGE_DEVIATIONS * Math.abs(deviations[index] ?? 0),
  );
  const { weights, factors } = smoothInputs(builder.read(`${layer}.weight`), ranges);
  const factor = builder.made(`${layer}.factors`, [factors.length], factors);
  return { weights, value: builder.add('Mul', [input, factor]) };
}

interface SmoothedLayer {
  /** [outputs, inputs]: the weights for the scaled inputs. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** [inputs]: factor by which each input must be multiplied. */
  readonly factors: Float32Array<ArrayBuffer>;
}

/** Share of the spread moved from the inputs to the weights. Values from .3 to .9 differ by .0008 of cosine. */
const SMOOTHING_STRENGTH = 0.6;

/**
 * Moves the spread between the inputs of a linear layer into its weights ([outputs, inputs]) without changing the
 * product (SmoothQuant). All inputs share one quantisation scale, which a few wide inputs would make too coarse for the
 * others. `ranges` [inputs] is the approximate maximum absolute value of each input.
 */
export function smoothInputs(weights: Float32Array, ranges: Float32Array): SmoothedLayer {
  const inputs = ranges.length;
  const peaks = new Float32Array(inputs);
  for (let index = 0; index < weights.length; index++) {
    const input = index % inputs;
    peaks[input] = Math.max(peaks[input] ?? 0, Math.abs(weights[index] ?? 0));
  }
  const factors = peaks.map((peak, input) => {
    const factor = peak ** (1 - SMOOTHING_STRENGTH) / (ranges[input] ?? 0) ** SMOOTHING_STRENGTH;
    return Number.isFinite(factor) && factor > 0 ? factor : 1;
  });
  const smoothed = new Float32Array(weights.length);
  for (let index = 0; index < weights.length; index++) {
    smoothed[index] = (weights[index] ?? 0) / (factors[index % inputs] ?? 1);
  }
  return { weights: smoothed, factors };
}

interface QuantisedMatrix {
  /** [inputs, outputs], from -64 to 64. */
  readonly values: Int8Array<ArrayBuffer>;
  /** [outputs]: scale of each column: the weight that the value 1 represents. */
  readonly scales: Float32Array<ArrayBuffer>;
}

/**
 * Uses seven of the eight bits. Processors without VNNI add two products of a byte and a weight in 16 bits:
 * 2 * 255 * 64 just fits, while 127 would saturate. This costs 0.001 of cosine.
 */
const MAX_QUANTISED = 64;

/**
 * Quantises the stored weights of a linear layer ([outputs, inputs]) to integers with one scale per output, and
 * transposes them to [inputs, outputs], the order of the matrix product.
 */
export function quantiseMatrix(weights: Float32Array, outputs: number): QuantisedMatrix {
  const inputs = weights.length / outputs;
  const values = new Int8Array(weights.length);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weights.subarray(output * inputs, (output + 1) * inputs);
    const scale = maxAbsolute(row) / MAX_QUANTISED;
    scales[output] = scale;
    if (scale === 0) continue;
    for (let input = 0; input < inputs; input++) {
      values[input * outputs + output] = Math.round((row[input] ?? 0) / scale);
    }
  }
  return { values, scales };
}

function maxAbsolute(row: Float32Array): number {
  let size = 0;
  for (let index = 0; index < row.length; index++) size = Math.max(size, Math.abs(row[index] ?? 0));
  return size;
}
