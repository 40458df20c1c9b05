/** Nothing that a tool of ours does can be felt elsewhere. */
export const toolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;
