const GUILDS = 1 << 0;
const GUILD_MESSAGES = 1 << 9;
const DIRECT_MESSAGES = 1 << 12;
/** Privileged: an operator switches it on, and Discord ends the connection of a bot that asks for it without. */
const MESSAGE_CONTENT = 1 << 15;

/** What Discord is asked to tell. Without message content it tells what is said to us, and no more. */
export function intentsOf(withContent: boolean): number {
  return GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | (withContent ? MESSAGE_CONTENT : 0);
}
