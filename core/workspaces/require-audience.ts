import { AppError } from '../errors.ts';
import type { Workspace } from './workspaces.ts';

/** Throws `invalid_audience` unless every tag is one that the workspace's settings name. */
export function requireAudience(workspace: Workspace, audience: readonly string[]): void {
  const configured = workspace.settings.audiences ?? [];
  const unknown = audience.find((tag) => !configured.includes(tag));
  if (unknown === undefined) return;
  throw new AppError('invalid_audience', {
    detail: `audience holds ${JSON.stringify(unknown)}, which is not among the workspace's settings.audiences.`,
  });
}
