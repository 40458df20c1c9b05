/** Returns numbers that look random and are the same for a seed. */
export interface Dice {
  readonly seed: number;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<One>(several: readonly One[]): One;
}

/** mulberry32, in the public domain. */
export function throwDice(seed: number): Dice {
  let state = seed | 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    seed,
    below,
    pick(several) {
      const one = several[below(several.length)];
      if (one === undefined) throw new RangeError('nothing to choose from');
      return one;
    },
  };
}
