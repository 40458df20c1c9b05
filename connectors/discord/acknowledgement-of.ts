import type { Json } from '../../core/contract/json.ts';
import { readNative } from './read-native.ts';

const COMMAND = 2;
const COMPONENT = 3;

/** "Thinking", until the answer takes its place. */
const DEFERRED_MESSAGE = { type: 5 };
/** What was pressed stays as it is. */
const DEFERRED_UPDATE = { type: 6 };

/** What Discord is to show within three seconds; null for what is no command or button. */
export function acknowledgementOf(native: Json): { readonly type: number } | null {
  const read = readNative(native);
  if (read.kind !== 'interaction') return null;
  if (read.interaction.type === COMMAND) return DEFERRED_MESSAGE;
  return read.interaction.type === COMPONENT ? DEFERRED_UPDATE : null;
}
