export interface SmoothedLayer {
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
