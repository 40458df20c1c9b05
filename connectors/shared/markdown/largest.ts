/** The largest of 0 to `most` that holds, where all below it hold too. */
export function largest(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
