/** One observation: features, whether the event happened, and how much it counts. */
export interface Sample {
  readonly features: readonly number[];
  readonly happened: boolean;
  readonly weight: number;
}

export interface LogisticFit {
  /** One for each feature. */
  readonly weights: readonly number[];
  readonly offset: number;
}

const ROUNDS = 60;
/** Keeps weights of features that tell nothing near zero. */
const RIDGE = 1;

/** Fits a logistic regression by Newton's method, on features scaled to their spread. Pure. */
export function fitLogistic(samples: readonly Sample[]): LogisticFit {
  const count = samples[0]?.features.length ?? 0;
  const scales = Array.from({ length: count }, (_, at) =>
    spread(samples.map(({ features }) => features[at] ?? 0)),
  );
  const rows = samples.map(({ features }) => [
    1,
    ...scales.map(({ mean, deviation }, at) => ((features[at] ?? 0) - mean) / deviation),
  ]);
  let found = new Array<number>(count + 1).fill(0);
  for (let round = 0; round < ROUNDS; round += 1) found = newtonStep(samples, rows, found);
  const weights = scales.map(({ deviation }, at) => (found[at + 1] ?? 0) / deviation);
  const shift = scales.reduce((sum, { mean }, at) => sum + (weights[at] ?? 0) * mean, 0);
  return { weights, offset: (found[0] ?? 0) - shift };
}

export function predict({ weights, offset }: LogisticFit, features: readonly number[]): number {
  const sum = weights.reduce((total, weight, at) => total + weight * (features[at] ?? 0), offset);
  return 1 / (1 + Math.exp(-sum));
}

function spread(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, deviation: Math.sqrt(variance) || 1 };
}

function newtonStep(
  samples: readonly Sample[],
  rows: readonly (readonly number[])[],
  current: readonly number[],
): number[] {
  const size = current.length;
  const gradient = current.map((value, at) => (at === 0 ? 0 : -RIDGE * value));
  const curvature: number[][] = current.map((_, at) =>
    current.map((__, other) => (at === other && at > 0 ? RIDGE : 0)),
  );
  for (const [index, { happened, weight }] of samples.entries()) {
    const row = rows[index] ?? [];
    const sum = row.reduce((total, value, at) => total + value * (current[at] ?? 0), 0);
    const probability = 1 / (1 + Math.exp(-sum));
    const slope = weight * probability * (1 - probability);
    for (let at = 0; at < size; at += 1) {
      gradient[at] = (gradient[at] ?? 0) + weight * ((happened ? 1 : 0) - probability) * (row[at] ?? 0);
      const line = curvature[at] ?? [];
      for (let other = 0; other < size; other += 1)
        line[other] = (line[other] ?? 0) + slope * (row[at] ?? 0) * (row[other] ?? 0);
    }
  }
  const step = solve(curvature, gradient);
  return current.map((value, at) => value + (step[at] ?? 0));
}

/** Solves a system of linear equations with a positive definite matrix, by elimination. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, values[at] ?? 0]);
  for (const [at, pivot] of rows.entries()) {
    const divisor = pivot[at] || 1;
    for (let column = 0; column < pivot.length; column += 1) pivot[column] = (pivot[column] ?? 0) / divisor;
    for (const row of rows) {
      const factor = row === pivot ? 0 : (row[at] ?? 0);
      for (let column = 0; column < row.length; column += 1)
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
    }
  }
  return rows.map((row) => row.at(-1) ?? 0);
}
