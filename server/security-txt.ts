import type { Runtime } from '../core/runtime/runtime.ts';
import type { TypedApp } from './typed-app.ts';

const path = '/.well-known/security.txt';
/** RFC 9116 asks for less than a year. */
const LIFETIME_MS = 180 * 24 * 3_600_000;

/** Registers the file that tells finders of weaknesses where to report them (RFC 9116), if SECURITY_CONTACT is set. */
export function getSecurityText(app: TypedApp, { config, clock }: Pick<Runtime, 'config' | 'clock'>): void {
  const { SECURITY_CONTACT: contact, PUBLIC_URL } = config;
  if (contact === undefined) return;
  app.get(path, { schema: { hide: true } }, async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + LIFETIME_MS);
    // Whole days, so that caches hold one version.
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en, de',
      ...(PUBLIC_URL === undefined ? [] : [`Canonical: ${PUBLIC_URL}${path}`]),
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
