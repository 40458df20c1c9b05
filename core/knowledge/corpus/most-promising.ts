import type { FoundPassage } from '../found-passage.ts';
import type { ScopeMeasures } from './measure-scope.ts';

interface Promising {
  readonly promise: number;
  readonly passage: FoundPassage;
}

/** The `most` passages with the highest promise, the highest first. */
export function mostPromising(measures: readonly ScopeMeasures[], most: number): readonly FoundPassage[] {
  const least = leastPromise(measures, most);
  return measures
    .flatMap((scope) => promising(scope, least))
    .sort((one, other) => other.promise - one.promise)
    .slice(0, most)
    .map(({ passage }) => passage);
}

/** What the last of the `most` promises. */
function leastPromise(measures: readonly ScopeMeasures[], most: number): number {
  const all = new Float64Array(measures.reduce((sum, { promise }) => sum + promise.length, 0));
  let at = 0;
  for (const { promise } of measures) {
    all.set(promise, at);
    at += promise.length;
  }
  return all.sort().at(-most) ?? Number.NEGATIVE_INFINITY;
}

function promising({ scope, bm25, cosine, promise }: ScopeMeasures, least: number): readonly Promising[] {
  const found: Promising[] = [];
  for (const [place, passage] of scope.passages.entries()) {
    const promised = promise[place] ?? 0;
    if (promised < least) continue;
    const measured = { ...passage, bm25: bm25[place] ?? 0, cosine: cosine?.[place] ?? null };
    found.push({ promise: promised, passage: measured });
  }
  return found;
}
