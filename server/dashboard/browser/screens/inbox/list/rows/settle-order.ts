import type { InboxRow } from '../../../../api/queries/inbox.ts';

/** The rows on the screen, in an order that stays until the person asks for the new one. */
export interface Order {
  readonly ids: readonly string[];
  /** The time of the last message of each, when the order was made. */
  readonly times: ReadonlyMap<string, string>;
}

export const noOrder: Order = { ids: [], times: new Map() };

export function orderOf(rows: readonly InboxRow[]): Order {
  return { ids: rows.map(({ id }) => id), times: new Map(rows.map((row) => [row.id, row.last_message_at])) };
}

interface Settled {
  readonly order: Order;
  /** Rows that are new, or that belong further up. */
  readonly waiting: number;
}

interface Exceptions {
  /** Rows that stay although the server no longer lists them, because they are open or under the pointer. */
  readonly isHeld: (id: string) => boolean;
  /** Rows that the person restored, which take their place at once. */
  readonly isExpected: (id: string) => boolean;
}

/**
 * Applies the list of the server to the order on the screen without moving a row: newcomers are added only at the
 * end, others are counted. Rows that the server no longer lists are removed. Pure.
 */
export function settleOrder(
  order: Order,
  fresh: readonly InboxRow[],
  { isHeld, isExpected }: Exceptions,
): Settled {
  const places = new Map(fresh.map(({ id }, place) => [id, place]));
  const kept = order.ids.filter((id) => places.has(id) || isHeld(id));
  if (!kept.some((id) => places.has(id))) {
    return kept.length > 0
      ? { order: { ...order, ids: kept }, waiting: fresh.length }
      : { order: orderOf(fresh), waiting: 0 };
  }
  const shown = new Set(kept);
  const lastPlace = Math.max(...kept.map((id) => places.get(id) ?? -1));
  const newcomers = fresh.filter(({ id }) => !shown.has(id));
  const added = newcomers.filter(({ id }) => isExpected(id) || (places.get(id) ?? 0) > lastPlace);
  const risen = fresh.filter(({ id, last_message_at: at }, place) => {
    const before = order.times.get(id);
    return shown.has(id) && before !== undefined && before !== at && hasPassed(id, place, kept, places);
  });
  const ids = [...kept];
  for (const { id } of added) {
    const place = places.get(id) ?? 0;
    const next = ids.findIndex((other) => (places.get(other) ?? -1) > place);
    ids.splice(next < 0 ? ids.length : next, 0, id);
  }
  const times = new Map([...order.times, ...added.map((row) => [row.id, row.last_message_at] as const)]);
  return { order: { ids, times }, waiting: newcomers.length - added.length + risen.length };
}

/** Whether the server lists a row before one that stands above it. */
function hasPassed(
  id: string,
  place: number,
  kept: readonly string[],
  places: ReadonlyMap<string, number>,
): boolean {
  return kept.slice(0, kept.indexOf(id)).some((above) => (places.get(above) ?? -1) > place);
}
