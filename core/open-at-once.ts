interface Closable {
  close(): Promise<void>;
}

/**
 * Waits for both while they open at the same time. Throws the error of the one that fails first, once `one` is not open
 * any more; nobody waits for `other`, which may take long, and is closed when it has opened.
 */
export async function openAtOnce<One extends Closable, Other extends Closable>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  try {
    return await Promise.all([one, other]);
  } catch (error) {
    void Promise.allSettled([other.then((opened) => opened.close())]);
    await Promise.allSettled([one.then((opened) => opened.close())]);
    throw error;
  }
}
