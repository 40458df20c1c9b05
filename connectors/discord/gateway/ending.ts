/** How a connection came to its end, and how to go on. */
export type Ending =
  | { readonly next: 'resume' | 'identify'; readonly because: string; readonly afterMs?: number }
  /** Nothing that is done again would help. */
  | { readonly next: 'stop'; readonly because: string; readonly code: number };

const FATAL: Readonly<Record<number, string>> = {
  4004: 'Discord does not accept the bot token any more.',
  4010: 'Discord refuses the shard of the bot.',
  4011: 'The bot is in more than 2,500 servers: Discord lets it in over several connections only (shards), and Parley holds one. Give some of the servers a bot of their own.',
  4012: 'Discord does not speak this version of the gateway any more.',
  4013: 'Discord does not know an intent.',
  4014: 'Discord does not allow this bot an intent that it asked for.',
};

/** Not authenticated, a sequence that it does not know, a session that is too old. */
const FORGOTTEN = [4003, 4007, 4009];

/** What the code of a close frame says; 1006 stands for none. */
export function endingOf(code: number): Ending {
  const words = FATAL[code];
  if (words !== undefined) return { next: 'stop', because: words, code };
  const because = `Discord closed the connection with ${code}.`;
  return { next: FORGOTTEN.includes(code) ? 'identify' : 'resume', because };
}
