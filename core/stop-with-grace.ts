interface Grace {
  /** Aborted when there is no more time for what runs, and when it has stopped. */
  readonly ending: AbortController;
  /** In which the process has to end. */
  readonly seconds: number;
}

/** Of that time: what is still being done then is cut short, and put away in the rest of it. */
const graceShare = 0.8;

/** Stops what finishes what it is doing, if that does not take too long. */
export async function stopWithGrace(stop: () => Promise<void>, { ending, seconds }: Grace): Promise<void> {
  const grace = setTimeout(() => ending.abort(), seconds * 1_000 * graceShare);
  await stop();
  clearTimeout(grace);
  ending.abort();
}
