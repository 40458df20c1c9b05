import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { identifyVisitor } from '../../../core/answering/ask.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

describe.each(testEngines)('the identity secret on %s', async (engine) => {
  const { workspaces, clock, time } = await openTestInbox(engine);
  const open = () => workspaces.create({ name: 'Rotated' });
  const holds = async (workspaceId: string, secret: string) => {
    const hash = createHmac('sha256', secret).update('u-1').digest('hex');
    const identity = { user: { userId: 'u-1', hash }, token: null };
    const workspace = await workspaces.get(workspaceId);
    return identifyVisitor({ workspaces, clock }, workspace, identity).then(
      () => true,
      ({ code }: { code: string }) => code,
    );
  };

  test('verifies visitors together with its predecessor until the grace period ends', async () => {
    const { workspace, identitySecret } = await open();
    const { id } = workspace;
    const { secret, previousValidUntil } = await workspaces.rotateIdentitySecret(id, { graceSeconds: 60 });
    expect(secret).toMatch(/^ids_/);
    expect([await holds(id, identitySecret), await holds(id, secret)]).toEqual([true, true]);
    time.now = previousValidUntil;
    expect(await holds(id, identitySecret)).toBe('verification_required');
    expect(await holds(id, secret)).toBe(true);
  });

  test('has at most one predecessor, and none without a grace period', async () => {
    const { workspace, identitySecret } = await open();
    const { id } = workspace;
    const second = await workspaces.rotateIdentitySecret(id, { graceSeconds: 60 });
    const third = await workspaces.rotateIdentitySecret(id, { graceSeconds: 60 });
    expect(await workspaces.identitySecrets(id)).toEqual([third.secret, second.secret]);
    expect(await holds(id, identitySecret)).toBe('verification_required');
    const last = await workspaces.rotateIdentitySecret(id, { graceSeconds: 0 });
    expect(await workspaces.identitySecrets(id)).toEqual([last.secret]);
  });

  test('survives two concurrent rotations: the earlier one becomes the predecessor of the later', async () => {
    const { id } = (await open()).workspace;
    const rotated = await Promise.all(
      [1, 2].map(() => workspaces.rotateIdentitySecret(id, { graceSeconds: 60 })),
    );
    const valid = await workspaces.identitySecrets(id);
    expect([...valid].sort()).toEqual(rotated.map(({ secret }) => secret).sort());
  });

  test('is not found for a deleted or unknown workspace', async () => {
    const { id } = (await open()).workspace;
    await workspaces.delete(id);
    for (const gone of [id, 'ws_none']) {
      const code = 'workspace_not_found';
      await expect(workspaces.rotateIdentitySecret(gone, { graceSeconds: 0 })).rejects.toMatchObject({
        code,
      });
      await expect(workspaces.rotatePublicToken(gone, { graceSeconds: 0 })).rejects.toMatchObject({ code });
    }
  });
});
