/** What was asked before a workspace was deleted may take so long to be answered and stored. */
export const deletionGraceMs = 5 * 60_000;
