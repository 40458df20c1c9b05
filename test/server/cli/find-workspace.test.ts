import { describe, expect, test } from 'vitest';
import { findWorkspace } from '../../../server/cli/find-workspace.ts';
import type { OperatorApi } from '../../../server/cli/transports/operator-api.ts';

const help = { id: 'ws_1', name: 'Help' };
const shop = { id: 'ws_2', name: 'Shop' };

/** Responds with one page per workspace. */
function apiWith(...workspaces: readonly (typeof help)[]): OperatorApi {
  return {
    outlivesCommand: true,
    async call(_method, path) {
      const at = Number(new URL(path, 'http://test').searchParams.get('cursor') ?? 0);
      const more = at + 1 < workspaces.length;
      return {
        workspaces: workspaces.slice(at, at + 1),
        pagination: { next_cursor: more ? `${at + 1}` : null },
      };
    },
    close: async () => {},
  };
}

describe('findWorkspace', () => {
  test('selects the only workspace by default', async () => {
    expect(await findWorkspace(apiWith(help), undefined)).toBe('ws_1');
  });

  test('finds a workspace by name on any page, and accepts an id', async () => {
    expect(await findWorkspace(apiWith(help, shop), 'Shop')).toBe('ws_2');
    expect(await findWorkspace(apiWith(), 'ws_9')).toBe('ws_9');
  });

  test('requires a choice between several workspaces and lists them', async () => {
    await expect(findWorkspace(apiWith(help, shop), undefined)).rejects.toMatchObject({
      code: 'workspace_ambiguous',
      exitCode: 2,
      hint: expect.stringMatching(/ws_1 {2}Help\n {2}ws_2 {2}Shop/),
    });
    await expect(findWorkspace(apiWith(shop, { ...shop, id: 'ws_3' }), 'Shop')).rejects.toMatchObject({
      exitCode: 2,
    });
  });

  test('says how to create the first workspace', async () => {
    await expect(findWorkspace(apiWith(), undefined)).rejects.toMatchObject({
      code: 'workspace_not_found',
      hint: expect.stringContaining('workspace create'),
    });
    await expect(findWorkspace(apiWith(help), 'Hlep')).rejects.toThrow('No workspace has the name "Hlep".');
  });
});
