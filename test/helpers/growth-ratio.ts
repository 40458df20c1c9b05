const FACTOR = 4;
/**
 * The maximum of runs for each, one after the other, as long as the growth is not clearly linear. A quadratic one
 * stays at 16 in all of them.
 */
const MOST_RUNS = 60;
const CLEARLY_LINEAR = 8;
/** Shorter times are noise. */
const LEAST_MS = 1;

/**
 * How much longer four times the text takes, as a ratio: 4 if time grows with the text, 16 if it grows with its
 * square. `characters` is the length of the longer text. The shorter one is worked on four times in a row, so that
 * both take as long where time grows with the text, and a busy machine interrupts both as often. It compares the
 * fastest of several runs. The processor time of a thread is too coarse for runs of a few milliseconds.
 */
export function growthOf(work: (text: string) => unknown, text: string, characters: number): number {
  const short = repeated(text, characters / FACTOR);
  const long = repeated(text, characters);
  const shortTime = () => timeOf(work, short, FACTOR) / FACTOR;
  // The first runs compile the code.
  let shortMs = Math.min(shortTime(), shortTime());
  let longMs = Number.POSITIVE_INFINITY;
  const ratio = () => longMs / Math.max(shortMs, LEAST_MS);
  for (let run = 0; run < MOST_RUNS && ratio() > CLEARLY_LINEAR; run += 1) {
    longMs = Math.min(longMs, timeOf(work, long, 1));
    shortMs = Math.min(shortMs, shortTime());
  }
  return ratio();
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

function timeOf(work: (text: string) => unknown, text: string, times: number): number {
  const startedAt = performance.now();
  for (let time = 0; time < times; time += 1) work(text);
  return performance.now() - startedAt;
}
