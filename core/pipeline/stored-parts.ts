import type { Json } from '../contract/json.ts';
import type { OutboundPart } from '../contract/reply.ts';

/** Parts as `queue_parts` takes them, the first in the place of what was shown of it before. */
export function storedParts(parts: readonly OutboundPart[], draft: Json = null): string {
  return JSON.stringify(
    parts.map(({ content, onRequest = false }, index) => ({
      content,
      held: onRequest !== false,
      draft: index === 0 ? draft : null,
    })),
  );
}
