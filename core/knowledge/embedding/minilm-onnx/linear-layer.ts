import type { OnnxGraphBuilder } from './onnx-graph.ts';

interface LinearOptions {
  /** Name of the stored weights. */
  readonly layer: string;
  /** Name of the normalisation that the input comes from; its inputs are smoothed then. */
  readonly smoothAfter?: string;
  /** What each row of the input has been divided by; the product is multiplied by it. */
  readonly inputScale?: string;
}

/** The zero point: weights are quantised around zero. */
const ABSENT = '';
/** How many standard deviations of a normalised value count as its range. */
const DEVIATIONS = 3;

/**
 * Adds a linear layer on float32 rows and returns the name of its output, float32 too. The weights are quantised
 * here, once; the runtime quantises the input in every run, with one scale for the whole of it.
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
    return builder.fused('DynamicQuantizeMatMul', [value, ...quantised, ABSENT, bias]);
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
    (centre, index) => Math.abs(centre) + DEVIATIONS * Math.abs(deviations[index] ?? 0),
  );
  const { weights, factors } = smoothInputs(builder.read(`${layer}.weight`), ranges);
  const factor = builder.made(`${layer}.factors`, [factors.length], factors);
  return { weights, value: builder.add('Mul', [input, factor]) };
}

interface SmoothedLayer {
  /** [outputs, inputs]: the weights that fit the multiplied inputs. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** [inputs]: what each input is to be multiplied by. */
  readonly factors: Float32Array<ArrayBuffer>;
}

/** How much of the difficulty is moved from the inputs to the weights; .3 to .9 differ by .0008 of cosine. */
const STRENGTH = 0.6;

/**
 * Moves the spread between the inputs of a linear layer into its weights, [outputs, inputs], without changing the
 * product (SmoothQuant): all inputs are quantised with one scale, which a few wide ones would make too coarse for
 * the others. `ranges` [inputs] tells how far from zero each input goes, roughly.
 */
export function smoothInputs(weights: Float32Array, ranges: Float32Array): SmoothedLayer {
  const inputs = ranges.length;
  const peaks = new Float32Array(inputs);
  for (let index = 0; index < weights.length; index++) {
    const input = index % inputs;
    peaks[input] = Math.max(peaks[input] ?? 0, Math.abs(weights[index] ?? 0));
  }
  const factors = peaks.map((peak, input) => {
    const factor = peak ** (1 - STRENGTH) / (ranges[input] ?? 0) ** STRENGTH;
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
  /** [outputs]: what 1 stands for in each column of the values. */
  readonly scales: Float32Array<ArrayBuffer>;
}

/**
 * Seven of the eight bits. Processors without VNNI add up two products of a byte and a weight in 16 bits,
 * which 2 * 255 * 64 just fits into; with 127 they would clip. It costs 0.001 of cosine.
 */
const LARGEST = 64;

/**
 * Rounds the weights of a linear layer, [outputs, inputs] as they are stored, to whole multiples of one scale for
 * each output, and turns them to the order that a matrix product takes.
 */
export function quantiseMatrix(weights: Float32Array, outputs: number): QuantisedMatrix {
  const inputs = weights.length / outputs;
  const values = new Int8Array(weights.length);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weights.subarray(output * inputs, (output + 1) * inputs);
    const scale = maxAbsolute(row) / LARGEST;
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
