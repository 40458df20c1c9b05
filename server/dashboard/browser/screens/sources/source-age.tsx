import type { Source } from '../../api/queries/sources.ts';
import { useMinute } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** How much of a source answers, and how far that is behind what is read. */
export function SourceAge({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  const now = useMinute();
  const { as_of: asOf, coverage } = source;
  if (asOf === null) return null;
  const minutes = Math.max(0, Math.floor((now - Date.parse(asOf)) / 60_000));
  const words = texts.ledger;
  return (
    <>
      <span className="p-numbers">{words.coverage(coverage.answered, coverage.listed)}</span>
      <span>{source.kind === 'website' ? words.behindSite(minutes) : words.behindSource(minutes)}</span>
    </>
  );
}
