import type { Source } from '../../api/queries/sources.ts';
import { useMinute } from '../../parts/time-ago.tsx';
import { useLedgerWords } from './ledger/ledger-words.ts';

/** How much of a source answers, and how far that is behind what is read. */
export function SourceAge({ source }: { readonly source: Source }) {
  const words = useLedgerWords();
  const now = useMinute();
  const { as_of: asOf, coverage } = source;
  if (asOf === null) return null;
  const minutes = Math.max(0, Math.floor((now - Date.parse(asOf)) / 60_000));
  return (
    <>
      <span className="p-numbers">{words.coverage(coverage.answered, coverage.listed)}</span>
      <span>{source.kind === 'website' ? words.behindSite(minutes) : words.behindSource(minutes)}</span>
    </>
  );
}
