import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../../core/contract/listen.ts';
import { acknowledgementOf } from '../acknowledgement-of.ts';
import { demandDiscord } from '../call-discord.ts';
import { deliveryOf } from '../delivery-of.ts';
import type { DiscordAccount } from '../manifest.ts';
import { readNative } from '../read-native.ts';
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
  const body = acknowledgementOf(native);
  if (delivery === null || body === null || read.kind !== 'interaction') return;
  await tools.accept([delivery]);
  const { id, token } = read.interaction;
  const path = `/interactions/${id}/${token}/callback`;
  try {
    await demandDiscord({ method: 'POST', path, token, body, result: z.unknown() }, account, tools);
  } catch (error) {
    // It is stored: the answer goes out as a message of its own then.
    if (!(error instanceof ConnectorError)) throw error;
    tools.log.warn({ because: error.message }, 'Discord could not be told that a command was heard');
  }
}
