/** What a JWT claims, unproven; empty where it is none. */
export function tokenClaims(token: string): { sub?: string; bits?: number } {
  const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  try {
    return JSON.parse(atob(claims));
  } catch {
    return {};
  }
}
