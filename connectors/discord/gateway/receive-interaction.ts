import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { type CallTools, callDiscord, refusalError } from '../api-client.ts';
import { toDelivery } from '../deliveries.ts';
import { interactionResponse } from '../interactions.ts';
import type { DiscordAccount } from '../manifest.ts';
import { type DiscordInteraction, parseNative } from '../payloads.ts';
import type { GatewayMessageEvent } from './receive-messages.ts';

/** Stores a command or a press, and only then says that it was heard. */
export async function receiveInteraction(
  event: GatewayMessageEvent,
  account: DiscordAccount,
  tools: ListenerTools,
): Promise<void> {
  const native = { ...event };
  const read = parseNative(native);
  const delivery = toDelivery(native, account, new Map());
  const body = interactionResponse(native, account);
  if (delivery === null || body === null || read.kind !== 'interaction') return;
  await tools.accept([delivery]);
  const fault = await acknowledgeInteraction({ interaction: read.interaction, body }, account, tools);
  // It is stored: the answer goes out as a message of its own then.
  if (fault !== null)
    tools.log.warn({ because: fault.message }, 'Discord could not be told that a command was heard');
}

interface Acknowledgement {
  readonly interaction: Pick<DiscordInteraction, 'id' | 'token'>;
  /** What Discord is to show. */
  readonly body: object;
}

/** Discord waits three seconds in all: a connection that broke meanwhile leaves time for another. */
const TRIES_MS = [1_000, 1_500];
/** Discord's code for an interaction that it was told of before. */
const ALREADY_ACKNOWLEDGED = 40_060;

/** Says that a command or a press was heard; what came of it where that could not be said. */
async function acknowledgeInteraction(
  heard: Acknowledgement,
  account: DiscordAccount,
  tools: CallTools,
): Promise<ConnectorError | null> {
  let fault: ConnectorError | null = null;
  for (const timeoutMs of TRIES_MS) {
    fault = await tryAcknowledge({ ...heard, timeoutMs }, account, tools);
    if (fault?.advice.retry !== 'backoff') break;
  }
  return fault;
}

async function tryAcknowledge(
  { interaction: { id, token }, body, timeoutMs }: Acknowledgement & { readonly timeoutMs: number },
  account: DiscordAccount,
  tools: CallTools,
): Promise<ConnectorError | null> {
  const path = `/interactions/${id}/${token}/callback`;
  const call = { method: 'POST', path, token, body, result: z.unknown(), timeoutMs } as const;
  try {
    const outcome = await callDiscord(call, account, tools);
    const isSaid = outcome.ok || outcome.refusal.code === ALREADY_ACKNOWLEDGED;
    return isSaid ? null : refusalError(outcome.refusal, tools.now());
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}
