import { describe, expect, it } from 'vitest';
import { smoothInputs } from '../../../../core/knowledge/embedding/minilm-onnx/linear-layer.ts';

const ranges = Float32Array.of(1, 50, 2);
/** Two outputs of three inputs. */
const weights = Float32Array.of(0.5, -0.1, 0.25, -0.75, 0.2, 1);

const product = (matrix: Float32Array, input: Float32Array) =>
  [0, 1].map((output) =>
    input.reduce((sum, value, index) => sum + value * (matrix[output * 3 + index] ?? Number.NaN), 0),
  );

describe('smoothInputs', () => {
  it('does not change the product', () => {
    const input = Float32Array.of(-1, 40, 1.5);
    const smoothed = smoothInputs(weights, ranges);
    const multiplied = input.map((value, index) => value * (smoothed.factors[index] ?? Number.NaN));
    for (const [index, value] of product(weights, input).entries())
      expect(product(smoothed.weights, multiplied)[index]).toBeCloseTo(value, 4);
  });

  it('brings the ranges of the inputs closer together', () => {
    const { factors } = smoothInputs(weights, ranges);
    const multiplied = ranges.map((range, index) => range * (factors[index] ?? Number.NaN));
    expect(Math.max(...multiplied) / Math.min(...multiplied)).toBeLessThan(50 / 4);
  });

  it('does not scale an input that is always zero or never used', () => {
    const { factors } = smoothInputs(Float32Array.of(0, 0.5, 0, 0.5), Float32Array.of(3, 0));
    expect([...factors]).toEqual([1, 1]);
  });
});
