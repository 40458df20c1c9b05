import type { Identity } from './types.ts';

/** The integrator's own name for the visitor, as the proof claims it: whether it holds, the server decides. */
export function visitorIn({ user, verification_token: token }: Identity): string | undefined {
  if (user !== undefined) return user.user_id;
  const claims = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  try {
    const read: { sub?: string } = JSON.parse(atob(claims));
    return read.sub;
  } catch {
    return undefined;
  }
}

export function sameVisitor(one: Identity, other: Identity): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
