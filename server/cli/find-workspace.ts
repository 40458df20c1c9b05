import { z } from 'zod';
import { isWorkspaceId } from '../../core/base/ids.ts';
import { CommandError } from './command-error.ts';
import type { OperatorApi } from './transports/operator-api.ts';
import { listAll } from './transports/operator-api.ts';

const workspaceItem = z.object({ id: z.string(), name: z.string() });

/** The option that selects a workspace. */
export const workspaceOption = [
  '--workspace <id>',
  'id or name of the workspace; optional if there is only one',
] as const;

/**
 * Returns the id of the workspace with the id or name `wanted`, or of the only workspace if `wanted` is
 * missing. Throws a CommandError with a list if there is no such workspace or several match.
 */
export async function findWorkspace(api: OperatorApi, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && isWorkspaceId(wanted)) return wanted;
  const all = await listAll(api, '/admin/v1/workspaces', { name: 'workspaces', item: workspaceItem });
  const matches = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first.id;
  if (all.length === 0) {
    throw new CommandError('No workspace exists yet.', {
      code: 'workspace_not_found',
      hint: 'Create one: npm run parley -- workspace create "Help centre"',
    });
  }
  const list = (matches.length > 0 ? matches : all).map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  if (wanted !== undefined && matches.length === 0) {
    throw new CommandError(`No workspace has the name "${wanted}".`, {
      code: 'workspace_not_found',
      hint: `Existing workspaces:\n${list}`,
    });
  }
  throw new CommandError('Several workspaces match.', {
    code: 'workspace_ambiguous',
    hint: `Add --workspace with one of these ids:\n${list}`,
    exitCode: 2,
  });
}
