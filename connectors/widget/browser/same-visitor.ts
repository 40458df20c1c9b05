import { tokenClaims } from './token-claims.ts';
import type { Identity } from './types.ts';

/** The integrator's own name for the visitor, as the proof claims it: whether it holds, the server decides. */
export function visitorIn({ user, verification_token: token }: Identity): string | undefined {
  return user === undefined ? tokenClaims(token ?? '').sub : user.user_id;
}

export function sameVisitor(one: Identity, other: Identity): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
