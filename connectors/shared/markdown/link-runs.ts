import type { Span } from './block.ts';

export interface LinkRun {
  readonly link: string | null;
  readonly spans: readonly Span[];
}

/** Neighbours that lead to the same place, together: one link may be set in several ways. */
export function linkRuns(spans: readonly Span[]): readonly LinkRun[] {
  const runs: { link: string | null; spans: Span[] }[] = [];
  for (const span of spans) {
    const link = span.style.link ?? null;
    const last = runs.at(-1);
    if (last?.link === link) last.spans.push(span);
    else runs.push({ link, spans: [span] });
  }
  return runs;
}
