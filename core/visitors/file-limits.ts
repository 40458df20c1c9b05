/** What visitors may send along. */
export const fileLimits = {
  bytes: 5 * 2 ** 20,
  ofMessage: 5,
  ofVisitorADay: 20,
  /** All that is kept of a workspace's visitors. */
  bytesOfWorkspace: 2 ** 30,
} as const;
