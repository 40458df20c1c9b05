interface Patience {
  /** Items at the beginning that are not timed. */
  readonly warmUp: number;
  /** Ends early when so much time has gone by, of which the warming up takes a quarter at most. */
  readonly milliseconds: number;
}

/** Runs `work` on one item after the other; the milliseconds that each took. */
export async function timeEach<Item>(
  items: readonly Item[],
  { warmUp, milliseconds }: Patience,
  work: (item: Item) => Promise<unknown>,
): Promise<number[]> {
  const startedAt = performance.now();
  const isWithin = (share: number) => performance.now() - startedAt < share * milliseconds;
  for (const item of items.slice(0, warmUp)) if (isWithin(0.25)) await work(item);
  const times: number[] = [];
  for (const item of items.slice(warmUp)) {
    if (!isWithin(1)) break;
    const before = performance.now();
    await work(item);
    times.push(performance.now() - before);
  }
  return times;
}
