/** A share with the range that it lies in 95 times of 100. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;

/**
 * Returns the share of `hits` among `tried` with its Wilson interval. `of` is how many there are altogether: the more of
 * them were tried, the surer the share. Nothing is known without a try. Pure.
 */
export function wilson(hits: number, tried: number, of = Number.POSITIVE_INFINITY): Share {
  if (tried === 0) return { share: 0.5, low: 0, high: 1 };
  const share = hits / tried;
  if (tried >= of) return { share, low: share, high: share };
  // The correction for a finite number of tickets, as a larger number of tries.
  const n = Number.isFinite(of) ? (tried * (of - 1)) / (of - tried) : tried;
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * Returns the weighted sum of independent shares with its interval: each distance from a share to its limits counts by the
 * square of its weight (Zou and Donner's method). Pure.
 */
export function sumShares(parts: readonly { readonly weight: number; readonly of: Share }[]): Share {
  const share = parts.reduce((sum, { weight, of }) => sum + weight * of.share, 0);
  const distance = (limit: 'low' | 'high') =>
    Math.sqrt(parts.reduce((sum, { weight, of }) => sum + (weight * (of[limit] - of.share)) ** 2, 0));
  return { share, low: Math.max(0, share - distance('low')), high: Math.min(1, share + distance('high')) };
}
