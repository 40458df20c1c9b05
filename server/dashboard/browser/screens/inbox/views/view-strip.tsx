import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countEnd, countsQuery, viewsQuery } from '../../../api/queries/inbox.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { builtInViews, type Place, writePlace } from './address.ts';

/** The views in a line above the list, if the rail has no room for them. */
export function ViewStrip({ place }: { readonly place: Place }) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const { data: counts } = useQuery(countsQuery(workspace));
  const { data: saved = [] } = useQuery(viewsQuery(workspace));
  const to = `/w/${workspace}/inbox`;
  const chips = [
    ...builtInViews.map((view) => ({
      id: view,
      name: words.shortViews[view],
      search: { view },
      count: counts?.views[view] ?? 0,
      isOn: place.saved === undefined && place.filters.view === view,
    })),
    ...saved.map(({ id, name, filters, sort }) => ({
      id,
      name,
      search: writePlace({ filters, sort, saved: id }),
      count: counts?.saved[id] ?? 0,
      isOn: place.saved === id,
    })),
  ];
  return (
    <nav className="p-view-strip" aria-label={words.viewsLabel} data-views>
      {chips.map(({ id, name, search, count, isOn }) => (
        <Link
          key={id}
          to={to}
          search={search}
          className="p-view-chip"
          {...(isOn && { 'aria-current': 'page' })}
        >
          {name}
          {count > 0 && id !== 'resolved' && (
            <span className="p-numbers" data-tone={id === 'sla_at_risk' ? 'amber' : undefined}>
              {words.count(count, countEnd(id))}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
