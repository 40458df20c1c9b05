import type { OnnxGraphBuilder } from './onnx-graph-builder.ts';
import { quantiseMatrix } from './quantise-matrix.ts';
import { smoothInputs } from './smooth-inputs.ts';

export interface LinearOptions {
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
