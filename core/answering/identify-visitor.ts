import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { type IdentityClaims, type VerifiedVisitor, verifyIdentity } from '../workspaces/identity.ts';
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts';

interface Dependencies {
  readonly workspaces: Workspaces;
  readonly clock: Clock;
}

/** Who asks, where that is proven; null for an unknown visitor. Throws `verification_required`. */
export async function identifyVisitor(
  { workspaces, clock }: Dependencies,
  workspace: Workspace,
  identity: IdentityClaims,
): Promise<VerifiedVisitor | null> {
  const proofGiven = identity.token !== null || identity.user?.hash !== undefined;
  if (proofGiven) {
    const identitySecrets = await workspaces.identitySecrets(workspace.id);
    return verifyIdentity(identity, { identitySecrets, now: clock.now() });
  }
  if (workspace.settings.require_identity_verification) throw new AppError('verification_required');
  return null;
}
