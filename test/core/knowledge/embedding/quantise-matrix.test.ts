import { describe, expect, it } from 'vitest';
import { quantiseMatrix } from '../../../../core/knowledge/embedding/minilm-onnx/linear-layer.ts';

/** Three outputs of four inputs. */
const weights = Float32Array.of(0.5, -1, 0.25, 0, 100, 3, -50, 7, 0, 0, 0, 0);

describe('quantiseMatrix', () => {
  it("restores every weight to within half a step of its output's scale", () => {
    const { values, scales } = quantiseMatrix(weights, 3);
    for (const [index, weight] of weights.entries()) {
      const output = Math.floor(index / 4);
      const scale = scales[output] ?? Number.NaN;
      const restored = (values[(index % 4) * 3 + output] ?? Number.NaN) * scale;
      expect(Math.abs(restored - weight)).toBeLessThanOrEqual(scale / 2);
    }
    expect(scales[0]).toBeCloseTo(1 / 64);
    expect(scales[1]).toBeCloseTo(100 / 64);
  });

  it('returns inputs as rows and outputs as columns', () => {
    expect([...quantiseMatrix(weights, 3).values]).toEqual([32, 64, 0, -64, 2, 0, 16, -32, 0, 0, 4, 0]);
  });

  it('stays within seven bits, so that no processor saturates', () => {
    const { values } = quantiseMatrix(
      Float32Array.from({ length: 999 }, (_, index) => Math.sin(index) * 9),
      3,
    );
    expect(Math.max(...values)).toBeLessThanOrEqual(64);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(-64);
    expect(255 * 64 * 2).toBeLessThan(2 ** 15);
  });
});
