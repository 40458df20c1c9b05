import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { type CallTools, callDiscord, refusalError } from '../api-client.ts';
import { toDelivery } from '../deliveries.ts';
import { interactionResponse } from '../interactions.ts';
import type { DiscordAccount } from '../manifest.ts';
import { type DiscordInteraction, parseNative } from '../payloads.ts';
import type { GatewayMessageEvent } from './receive-messages.ts';

/** Stores a command or button press, and acknowledges it afterwards. */
export async function receiveInteraction(
  event: GatewayMessageEvent,
  account: DiscordAccount,
  tools: ListenerTools,
): Promise<void> {
  const native = { ...event };
  const parsed = parseNative(native);
  const delivery = toDelivery(native, account, new Map());
  const body = interactionResponse(native, account);
  if (delivery === null || body === null || parsed.kind !== 'interaction') return;
  await tools.accept([delivery]);
  const fault = await acknowledgeInteraction({ interaction: parsed.interaction, body }, account, tools);
  // The command is stored, so its answer is sent as a separate message.
  if (fault !== null) tools.log.warn({ because: fault.message }, 'interaction acknowledgement failed');
}

interface Acknowledgement {
  readonly interaction: Pick<DiscordInteraction, 'id' | 'token'>;
  /** The response that Discord shows. */
  readonly body: object;
}

/** Discord waits three seconds in total, which leaves time for a second attempt after a broken connection. */
const ATTEMPT_TIMEOUTS_MS = [1_000, 1_500];
/** The interaction has already been acknowledged. */
const ALREADY_ACKNOWLEDGED = 40_060;

/** Acknowledges a command or button press. Returns the error of the last attempt, or null if it succeeded. */
async function acknowledgeInteraction(
  acknowledgement: Acknowledgement,
  account: DiscordAccount,
  tools: CallTools,
): Promise<ConnectorError | null> {
  let fault: ConnectorError | null = null;
  for (const timeoutMs of ATTEMPT_TIMEOUTS_MS) {
    fault = await tryAcknowledge({ ...acknowledgement, timeoutMs }, account, tools);
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
    const isAcknowledged = outcome.ok || outcome.refusal.code === ALREADY_ACKNOWLEDGED;
    return isAcknowledged ? null : refusalError(outcome.refusal, tools.now());
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}
