import type { ListenerTools } from '../../../core/contract/listener.ts';
import { acknowledgementOf } from '../acknowledgement-of.ts';
import { deliveryOf } from '../delivery-of.ts';
import type { DiscordAccount } from '../manifest.ts';
import { readNative } from '../read-native.ts';
import { sayHeard } from './say-heard.ts';
import type { MessageEvent } from './take-messages.ts';

/** Stores a command or a press, and only then says that it was heard. */
export async function takeInteraction(
  event: MessageEvent,
  account: DiscordAccount,
  tools: ListenerTools,
): Promise<void> {
  const native = { ...event };
  const read = readNative(native);
  const delivery = deliveryOf(native, account, new Map());
  const body = acknowledgementOf(native, account);
  if (delivery === null || body === null || read.kind !== 'interaction') return;
  await tools.accept([delivery]);
  const fault = await sayHeard({ interaction: read.interaction, body }, account, tools);
  // It is stored: the answer goes out as a message of its own then.
  if (fault !== null)
    tools.log.warn({ because: fault.message }, 'Discord could not be told that a command was heard');
}
