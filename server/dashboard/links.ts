import type { FastifyRequest } from 'fastify';
import type { LinkKind } from '../../core/members/member-links.ts';

const pages: Readonly<Record<LinkKind, string>> = {
  begin: 'begin',
  invitation: 'invite',
  recovery: 'recover',
};

/** The address of the page that uses a link. The token is behind `#`, which browsers never send. */
export function dashboardLink(
  base: string,
  { kind, token }: { readonly kind: LinkKind; readonly token: string },
): string {
  return `${base}/dashboard/${pages[kind]}#${token}`;
}

/** The address of this installation: PUBLIC_URL, or what the request was sent to. */
export function dashboardBase(
  { PUBLIC_URL }: { readonly PUBLIC_URL?: string | undefined },
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
): string {
  return PUBLIC_URL ?? `${protocol}://${host}`;
}
