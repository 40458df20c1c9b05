import { AppError } from '../../core/errors.ts';
import { isFreshlyProven, type SessionProof } from '../../core/members/sessions.ts';

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
