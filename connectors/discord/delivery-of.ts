import type { Json } from '../../core/contract/account.ts';
import type { Delivery, InboundEvent, Memory } from '../../core/contract/inbound.ts';
import type { DiscordAccount } from './manifest.ts';
import { type Known, memoriesOf, partakes, threadlessOf } from './memories.ts';
import { normalise } from './normalise.ts';
import { type Read, readNative } from './read-native.ts';

/** Of events that no conversation is to hear of. */
const OTHERS = 'others';

/** An event as it is stored; null for what nobody said to us, which is most of what Discord tells. Pure. */
export function deliveryOf(native: Json, account: DiscordAccount, known: Known): Delivery | null {
  const read = readNative(native);
  const [event] = normalise(native, account);
  const name = nameOf(read);
  if (event === undefined || name === null || !('conversation' in event)) return null;
  const told = { ...name, native };
  const threadless = threadlessOf(event, read, account);
  if (threadless !== null) return { ...told, lane: OTHERS, remember: [threadless] };
  if (!isForUs(event, read, known)) return null;
  const remember: readonly Memory[] = memoriesOf(event);
  return { ...told, lane: event.conversation.lane, ...(remember.length > 0 && { remember }) };
}

/** A message is told once, but changed more than once. */
function nameOf(read: Read): Pick<Delivery, 'id' | 'tenant'> | null {
  if (read.kind === 'other') return null;
  const { id, guild_id: guild } = read.kind === 'interaction' ? read.interaction : read.message;
  const tenant = guild === null ? {} : { tenant: guild };
  if (read.kind !== 'edit') return { id: `${read.kind}:${id}`, ...tenant };
  return { id: `edit:${id}:${read.message.edited_timestamp}`, ...tenant };
}

function isForUs(event: InboundEvent, read: Read, known: Known): boolean {
  if (read.kind === 'interaction') return true;
  if (read.kind === 'other') return false;
  const isIn = read.message.guild_id === null || partakes(read.message, known);
  if (event.type !== 'message') return isIn;
  return event.sender.kind === 'person' && (event.addressed === true || isIn);
}
