const localName = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether a page of `origin` may call: where no domain is named, pages of this machine alone, so that a token that was
 * copied is of no use elsewhere. `*.shop.example` names all below shop.example, and not that itself.
 */
export function isAllowedPage(origin: string, domains: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  const { hostname } = url;
  if (domains.length === 0) return localName.test(hostname);
  return domains.some((named) => {
    const domain = named.toLowerCase();
    return domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain;
  });
}
