interface Closable {
  close(): Promise<void>;
}

/**
 * Waits for both while they open at the same time. Where one cannot be opened the other is closed again, and the error
 * is thrown: the first one's where neither can.
 */
export async function openAtOnce<One extends Closable, Other extends Closable>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') {
    if (second.status === 'fulfilled') await second.value.close();
    throw first.reason;
  }
  if (second.status === 'rejected') {
    await first.value.close();
    throw second.reason;
  }
  return [first.value, second.value];
}
