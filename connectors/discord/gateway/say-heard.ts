import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import { type CallTools, callDiscord } from '../call-discord.ts';
import type { DiscordAccount } from '../manifest.ts';
import type { DiscordInteraction } from '../native-schema.ts';
import { refusalError } from '../refusal.ts';

interface Heard {
  readonly interaction: Pick<DiscordInteraction, 'id' | 'token'>;
  /** What Discord is to show. */
  readonly body: object;
}

/** Discord waits three seconds in all: a connection that broke meanwhile leaves time for another. */
const TRIES_MS = [1_000, 1_500];
/** Discord's code for an interaction that it was told of before. */
const ALREADY_SAID = 40_060;

/** Says that a command or a press was heard; what came of it where that could not be said. */
export async function sayHeard(
  heard: Heard,
  account: DiscordAccount,
  tools: CallTools,
): Promise<ConnectorError | null> {
  let fault: ConnectorError | null = null;
  for (const timeoutMs of TRIES_MS) {
    fault = await sayOnce({ ...heard, timeoutMs }, account, tools);
    if (fault?.advice.retry !== 'backoff') break;
  }
  return fault;
}

async function sayOnce(
  { interaction: { id, token }, body, timeoutMs }: Heard & { readonly timeoutMs: number },
  account: DiscordAccount,
  tools: CallTools,
): Promise<ConnectorError | null> {
  const path = `/interactions/${id}/${token}/callback`;
  const call = { method: 'POST', path, token, body, result: z.unknown(), timeoutMs } as const;
  try {
    const outcome = await callDiscord(call, account, tools);
    const isSaid = outcome.ok || outcome.refusal.code === ALREADY_SAID;
    return isSaid ? null : refusalError(outcome.refusal, tools.now());
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}
