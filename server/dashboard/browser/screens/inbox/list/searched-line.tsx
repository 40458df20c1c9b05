import type { Searched } from '../../../api/queries/inbox.ts';
import { useDeskWords } from '../desk-words.ts';
import type { Place } from '../views/address.ts';

interface SearchedLineProps {
  readonly place: Place;
  readonly searched: Searched;
  readonly onPlace: (place: Place) => void;
}

/** Says that other words were searched than those of the field, and offers to search for these alone. */
export function SearchedLine({ place, searched: { q, only }, onPlace }: SearchedLineProps) {
  const words = useDeskWords();
  return (
    <p className="p-list-searched" role="status">
      <span>{words.showing(q)}</span>
      <button
        type="button"
        className="p-plain-link"
        onClick={() => onPlace({ ...place, filters: { ...place.filters, q: only } })}
      >
        {words.searchOnly(place.filters.q ?? '')}
      </button>
    </p>
  );
}
