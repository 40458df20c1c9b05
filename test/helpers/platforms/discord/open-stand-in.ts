import { afterAll } from 'vitest';
import { startDiscord } from './stand-in.ts';

/** Discord on a free port; stopped after the test file. */
export async function openDiscordStandIn(options: Parameters<typeof startDiscord>[0] = {}) {
  const discord = await startDiscord(options);
  afterAll(() => discord.close());
  return discord;
}
