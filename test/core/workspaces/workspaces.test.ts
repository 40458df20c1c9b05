import { describe, expect, test } from 'vitest';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';

const { workspaces } = await openTestRuntime();

describe('retention', () => {
  test('cannot be set above the plan, in a new or an existing workspace', async () => {
    const refusal = { code: 'invalid_settings' };
    await expect(workspaces.create({ name: 'A', settings: { retention_days: 31 } })).rejects.toMatchObject(
      refusal,
    );
    const { workspace } = await workspaces.create({ name: 'A', settings: { retention_days: 30 } });
    await expect(workspaces.update(workspace.id, { settings: { retention_days: 90 } })).rejects.toMatchObject(
      refusal,
    );
    const raised = await workspaces.update(workspace.id, {
      plan: 'growth',
      settings: { retention_days: 90 },
    });
    expect(raised.settings.retention_days).toBe(90);
  });

  test('set under a higher plan does not block a downgrade', async () => {
    const { workspace } = await workspaces.create({
      name: 'A',
      plan: 'growth',
      settings: { retention_days: 90 },
    });
    expect((await workspaces.update(workspace.id, { plan: 'starter' })).plan).toBe('starter');
  });
});

test('a change merges settings, and null clears one', async () => {
  const { workspace } = await workspaces.create({
    name: 'A',
    settings: { description: 'Help', audiences: ['staff'] },
  });
  const changed = await workspaces.update(workspace.id, {
    settings: { description: null, strictness: 'fallback' },
  });
  expect(changed.settings).toEqual({ audiences: ['staff'], strictness: 'fallback' });
});
