import { decodeOrKeep } from '../../base/text.ts';

const MOST_GROUPS = 20;

interface PlacedItem {
  readonly key: string;
  readonly url?: string | null | undefined;
}

/** Items whose paths begin alike. */
export interface PathGroup<Item> {
  /** Matches their paths, as the patterns of a source do. Null: what is left of many small groups. */
  readonly pattern: string | null;
  readonly items: readonly Item[];
}

/**
 * Groups items by the folder in which their paths part, the largest group first. Pages directly in that folder are one group.
 * A site with more than 20 groups shows the others as one.
 */
export function groupByPath<Item extends PlacedItem>(items: readonly Item[]): readonly PathGroup<Item>[] {
  const placed = items.map((item) => ({ item, folders: foldersOf(item) }));
  const [first, ...others] = placed;
  if (first === undefined) return [];
  const common = others.reduce(
    (shared, { folders }) => sharedLength(first.folders, folders, shared),
    first.folders.length,
  );
  const base = first.folders.slice(0, common);
  const groups = Map.groupBy(placed, ({ folders }) =>
    folders.length > common ? patternOf([...base, folders[common] ?? '', '**']) : patternOf([...base, '*']),
  );
  const sorted = [...groups]
    .map(([pattern, members]) => ({ pattern, items: members.map(({ item }) => item) }))
    .sort((one, other) => other.items.length - one.items.length);
  if (sorted.length <= MOST_GROUPS) return sorted;
  const rest = sorted.slice(MOST_GROUPS - 1).flatMap((group) => group.items);
  return [...sorted.slice(0, MOST_GROUPS - 1), { pattern: null, items: rest }];
}

function patternOf(parts: readonly string[]): string {
  return `/${parts.join('/')}`;
}

function sharedLength(one: readonly string[], other: readonly string[], most: number): number {
  let length = 0;
  while (length < most && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

/** The parts of the path of an item without its name. */
function foldersOf({ key, url }: PlacedItem): readonly string[] {
  const address = URL.parse(url ?? key);
  const path = address === null ? key : decodeOrKeep(address.pathname);
  const parts = path.split('/').filter((part) => part !== '');
  return path.endsWith('/') ? parts : parts.slice(0, -1);
}
