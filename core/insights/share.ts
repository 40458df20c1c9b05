/** Below it a share says little: numbers are shown as "9 of 14". */
export const SHARE_FROM = 30;

/** A share with the interval that it lies in with 95 % certainty; all 0 to 1. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;

/** Returns the share with its Wilson interval. Null for fewer than 30. Pure. */
export function shareOf(count: number, total: number): Share | null {
  if (total < SHARE_FROM) return null;
  const share = count / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (share + Z ** 2 / (2 * total)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
