import { AppError } from '../../core/base/errors.ts';
import { isFreshlyProven, type SessionProof } from '../../core/members/sessions.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { requestActor } from './operator-access.ts';

/**
 * Requires a fresh proof of the person for each route of `app` that declares it, once the request is known to be allowed and
 * valid. The operator's token needs none.
 */
export function requireFreshProof(app: TypedApp, { clock }: Pick<Runtime, 'clock'>): void {
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.fresh !== true) return;
    const { proof, key } = requestActor.get(request);
    if (key !== null) throw new AppError('proof_required');
    if (proof !== null) assertFreshProof(proof, clock.now());
  });
}

/**
 * Requires that the person of a session proved here who they are, at most ten minutes ago. Throws `proof_required`, whose detail
 * tells whether the session can prove it at all.
 */
export function assertFreshProof(session: SessionProof, now: Date): void {
  if (isFreshlyProven(session, now)) return;
  throw proofRequired(session);
}

/** The error for a session whose proof is too old, or of a provider. */
export function proofRequired({ ownerId }: Pick<SessionProof, 'ownerId'>): AppError {
  if (ownerId === null) return new AppError('proof_required');
  return new AppError('proof_required', {
    detail:
      'You signed in through your company. This needs a proof of your own: sign out, sign in with your password or passkey, and do it again.',
  });
}
