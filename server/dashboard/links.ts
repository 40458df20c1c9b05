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
