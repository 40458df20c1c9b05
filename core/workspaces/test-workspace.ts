/**
 * The settings of the hidden workspace of test keys. Its conversations are kept for seven days after their last message, and
 * no rule hands them over.
 */
export const TEST_SETTINGS = { retention_days: 7 };

const PREFIX = 'test_';

/**
 * Returns the id of the hidden workspace that keeps the conversations of test keys. Every list, count, report, mail and
 * webhook names its workspace, and nobody can name this one, so none of them knows a test conversation.
 */
export function testWorkspaceId(workspaceId: string): string {
  return `${PREFIX}${workspaceId}`;
}

/** Whether a conversation in this workspace is a test. */
export function isTestWorkspace(workspaceId: string): boolean {
  return workspaceId.startsWith(PREFIX);
}

/** Returns the id of the workspace that callers know. */
export function knownWorkspaceId(workspaceId: string): string {
  return isTestWorkspace(workspaceId) ? workspaceId.slice(PREFIX.length) : workspaceId;
}
