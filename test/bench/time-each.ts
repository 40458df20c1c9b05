interface Patience {
  /** Items at the beginning that are not timed. */
  readonly warmUp: number;
  /** The time after which the measurement ends early; warming up takes a quarter of it at most. */
  readonly milliseconds: number;
}

export interface Timed {
  /** Milliseconds that each item took. */
  readonly times: number[];
  /** Milliseconds of processor time an item, all threads together: the figure that a busy machine disturbs least. */
  readonly processor: number;
}

/** Runs `work` on one item after the other. */
export async function timeEach<Item>(
  items: readonly Item[],
  { warmUp, milliseconds }: Patience,
  work: (item: Item) => Promise<unknown>,
): Promise<Timed> {
  const startedAt = performance.now();
  const isWithin = (share: number) => performance.now() - startedAt < share * milliseconds;
  for (const item of items.slice(0, warmUp)) if (isWithin(0.25)) await work(item);
  const times: number[] = [];
  const usedBefore = process.cpuUsage();
  for (const item of items.slice(warmUp)) {
    if (!isWithin(1)) break;
    const before = performance.now();
    await work(item);
    times.push(performance.now() - before);
  }
  const { user, system } = process.cpuUsage(usedBefore);
  return { times, processor: (user + system) / 1_000 / times.length };
}
