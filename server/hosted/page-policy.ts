import type { Look } from '../widget/look.ts';

/** Lets the page load what comes from this server and its logo, and nothing else; nobody may frame it. */
export function pagePolicy({ logo_url: logo }: Pick<Look, 'logo_url'>, styleSource: string): string {
  const pictures = logo === undefined ? "'none'" : new URL(logo).origin;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleSource}`,
    `img-src ${pictures}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
