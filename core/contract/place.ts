import { z } from 'zod';

const numbers = { from: z.int(), to: z.int() };

/** Where in its document a passage stands. Pages, slides and rows count from 1; a row as the sheet numbers it. */
export const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), ...numbers }),
  z.object({ kind: z.literal('slide'), ...numbers }),
  /** `sheet` is null in a file that has a single sheet without a name, such as CSV. */
  z.object({ kind: z.literal('rows'), sheet: z.string().nullable(), ...numbers }),
]);

export type Place = z.output<typeof placeSchema>;

/** Returns the place of two neighbouring texts. If they are in different sheets, that of the first. */
export function joinPlaces(one: Place | null, next: Place | null): Place | null {
  if (one === null || next === null) return one ?? next;
  if (one.kind !== next.kind) return one;
  if (one.kind === 'rows' && next.kind === 'rows' && one.sheet !== next.sheet) return one;
  return { ...one, from: Math.min(one.from, next.from), to: Math.max(one.to, next.to) };
}

const NAMES = {
  en: { page: ['page', 'pages'], slide: ['slide', 'slides'], rows: ['row', 'rows'] },
  de: { page: ['Seite', 'Seiten'], slide: ['Folie', 'Folien'], rows: ['Zeile', 'Zeilen'] },
} as const;

/** Returns a place in words: `page 112`, `slides 3–4`, `Fees, row 7`. German, or else English. */
export function placeLabel(place: Place, language: string | null): string {
  const [one, several] = NAMES[language === 'de' ? 'de' : 'en'][place.kind];
  const label = place.from === place.to ? `${one} ${place.from}` : `${several} ${place.from}–${place.to}`;
  return place.kind === 'rows' && place.sheet !== null ? `${place.sheet}, ${label}` : label;
}

/** Returns the address that opens a document at a place, which browsers support for pages of a PDF; otherwise `url`. */
export function placeUrl(place: Place | null, url: string | null): string | null {
  if (place?.kind !== 'page' || url === null || url.includes('#')) return url;
  return `${url}#page=${place.from}`;
}
