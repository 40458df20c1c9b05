import type { ConversationRef } from '../../core/contract/account.ts';
import type { Budget } from '../../core/contract/outbound.ts';
import { addressOf } from './address.ts';
import type { SlackAccount } from './manifest.ts';

const CHANNEL_MS = 1_000;
/** Slack says "several hundred a minute" of a team. */
const TEAM_MS = 120;
const TEAM_BURST = 50;

/** Threads share what their channel may be sent. */
export function budgets(to: ConversationRef, { settings }: SlackAccount): readonly Budget[] {
  if (settings.pace === false) return [];
  const { channel, tenant } = addressOf(to);
  return [
    { key: `channel:${channel}`, everyMs: CHANNEL_MS, burst: 1 },
    { key: `team:${tenant}`, everyMs: TEAM_MS, burst: TEAM_BURST },
  ];
}
