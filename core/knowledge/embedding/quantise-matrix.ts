export interface QuantisedMatrix {
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
    const scale = largest(row) / LARGEST;
    scales[output] = scale;
    if (scale === 0) continue;
    for (let input = 0; input < inputs; input++) {
      values[input * outputs + output] = Math.round((row[input] ?? 0) / scale);
    }
  }
  return { values, scales };
}

function largest(row: Float32Array): number {
  let size = 0;
  for (let index = 0; index < row.length; index++) size = Math.max(size, Math.abs(row[index] ?? 0));
  return size;
}
