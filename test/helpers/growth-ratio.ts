const RUNS = 5;
/** Below this, the growth is clearly linear and needs no further run. */
const CLEARLY_LINEAR = 8;
/** Shorter times are noise. */
const LEAST_MS = 1;

/**
 * How much longer four times the text takes, as a ratio: 4 if time grows with the text, 16 if it grows with its square.
 * `characters` is the length of the longer text. Takes the fastest of a few runs, because the machine may be busy. The
 * processor time of the process is too coarse for runs of a few milliseconds.
 */
export function growthOf(work: (text: string) => unknown, text: string, characters: number): number {
  const short = repeated(text, characters / 4);
  const long = repeated(text, characters);
  const shortMs = Math.max(Math.min(...Array.from({ length: RUNS }, () => timeOf(work, short))), LEAST_MS);
  let ratio = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && ratio > CLEARLY_LINEAR; run += 1) {
    ratio = Math.min(ratio, timeOf(work, long) / shortMs);
  }
  return ratio;
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

function timeOf(work: (text: string) => unknown, text: string): number {
  const startedAt = performance.now();
  work(text);
  return performance.now() - startedAt;
}
