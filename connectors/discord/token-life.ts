/** How long the token of an interaction is good for: Discord says 15 minutes. */
export const TOKEN_LIFE_MS = 14.5 * 60_000;
