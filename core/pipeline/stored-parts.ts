import type { Json } from '../contract/json.ts';
import type { OutboundPart } from '../contract/reply.ts';

interface StoredPart {
  readonly content: Json;
  readonly status: 'waiting' | 'held' | 'collectable';
  readonly key: string | null;
  readonly draft: Json;
}

/**
 * Parts as `queue_parts` takes them, the first in the place of what was shown of it before: one that waits is sent, one
 * that is held is kept until the visitor asks for it, and one that is collectable until a request of the platform comes.
 */
export function storedParts(parts: readonly OutboundPart[], draft: Json = null): readonly StoredPart[] {
  return parts.map((part, index) => ({
    content: part.content,
    status: statusOf(part),
    key: keyOf(part),
    draft: index === 0 ? draft : null,
  }));
}

/** Whether anything of them is sent without being asked for. */
export function hasPartsToSend(parts: readonly OutboundPart[]): boolean {
  return parts.some((part) => statusOf(part) === 'waiting');
}

function statusOf({ onRequest, collectedBy }: OutboundPart): StoredPart['status'] {
  if (onRequest !== undefined) return 'held';
  return collectedBy === undefined ? 'waiting' : 'collectable';
}

function keyOf({ onRequest, collectedBy }: OutboundPart): string | null {
  const key = collectedBy ?? onRequest;
  return typeof key === 'string' ? key : null;
}
