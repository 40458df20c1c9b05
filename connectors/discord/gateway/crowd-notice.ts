/** What to know of a bot that Discord would have hold several connections; it asks for that long before it insists. */
export function crowdNotice(connections: number): string | undefined {
  if (connections <= 1) return undefined;
  return `Discord recommends ${connections} connections for this bot (shards), and Parley holds one. All is well so far; in more than 2,500 servers Discord will refuse it: give some of the servers a bot of their own before that.`;
}
