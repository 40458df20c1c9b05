import { z } from 'zod';
import { isWorkspaceId } from '../../core/ids.ts';
import { CommandError } from './command-error.ts';
import type { OperatorApi } from './transports/operator-api.ts';
import { listAll } from './transports/operator-api.ts';

const workspaceItem = z.object({ id: z.string(), name: z.string() });

/** Says "the workspace meant" in an option's words. */
export const workspaceOption = [
  '--workspace <id>',
  'id or name; may be left out where there is one only',
] as const;

/**
 * The id of the workspace that `wanted` names by id or name; without it, of the only one there is.
 * Throws a CommandError that lists them where that is not enough to tell.
 */
export async function findWorkspace(api: OperatorApi, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && isWorkspaceId(wanted)) return wanted;
  const all = await listAll(api, '/admin/v1/workspaces', { name: 'workspaces', item: workspaceItem });
  const meant = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const [first] = meant;
  if (first !== undefined && meant.length === 1) return first.id;
  if (all.length === 0) {
    throw new CommandError('There is no workspace yet.', {
      code: 'workspace_not_found',
      hint: 'Make one: npm run parley -- workspace create "Help centre"',
    });
  }
  const list = (meant.length > 0 ? meant : all).map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  if (wanted !== undefined && meant.length === 0) {
    throw new CommandError(`There is no workspace "${wanted}".`, {
      code: 'workspace_not_found',
      hint: `These are there:\n${list}`,
    });
  }
  throw new CommandError('There are several workspaces: say which one is meant.', {
    code: 'workspace_ambiguous',
    hint: `Add --workspace with the id of one of these:\n${list}`,
    exitCode: 2,
  });
}
