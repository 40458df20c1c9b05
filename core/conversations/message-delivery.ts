import { z } from 'zod';

/** What became of a message on its way to its visitor's platform. */
export const deliveryStatuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'withheld'] as const;

export interface MessageDelivery {
  readonly status: (typeof deliveryStatuses)[number];
  /** Why it failed or is withheld, or why the last try did not succeed. */
  readonly reason: string | null;
  readonly at: Date;
}

const partSchema = z.object({
  status: z.enum([
    ...['waiting', 'held', 'collectable', 'sent', 'delivered', 'read', 'failed', 'dead', 'withheld'],
  ] as const),
  reason: z.string().nullable(),
  at: z.coerce.date(),
});
const partsSchema = z.array(partSchema).nullish();

type Part = z.output<typeof partSchema>;

/** How far a part came that was sent. */
const progress = ['sent', 'delivered', 'read'] as const;

/**
 * The delivery of a message from the rows of its parts, in their order; null where it has none, so nothing is sent.
 * `failed` if a part failed; else `queued` while one waits to be sent or collected; else as far as the least of those
 * that were sent came; `withheld` where none was sent. Parts that are kept until the visitor asks for more do not count.
 */
export function readDelivery(rows: unknown): MessageDelivery | null {
  const parts = partsSchema.parse(rows) ?? [];
  if (parts.length === 0) return null;
  const ofStatus = (...statuses: readonly Part['status'][]) =>
    parts.filter(({ status }) => statuses.includes(status));
  const failed = ofStatus('failed', 'dead');
  // It failed with the first of them.
  const [first] = failed.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  if (first !== undefined) return { status: 'failed', reason: first.reason, at: first.at };
  const queued = ofStatus('waiting', 'collectable');
  if (queued.length > 0) return summarize('queued', queued);
  const withheld = ofStatus('withheld');
  const sent = ofStatus(...progress);
  const least = progress.find((status) => sent.some((part) => part.status === status));
  if (least !== undefined) {
    const { status, at } = summarize(least, sent);
    return { status, reason: reasonOf([...withheld, ...sent]), at };
  }
  return withheld.length > 0 ? summarize('withheld', withheld) : summarize('queued', parts);
}

function summarize(status: MessageDelivery['status'], parts: readonly Part[]): MessageDelivery {
  const at = new Date(Math.max(...parts.map((part) => part.at.getTime())));
  return { status, reason: reasonOf(parts), at };
}

/** The first that there is. */
function reasonOf(parts: readonly Part[]): string | null {
  return parts.find(({ reason }) => reason !== null)?.reason ?? null;
}
