/**
 * Where a call of Twilio's library goes. A host of Twilio's own, such as that of a region, stands for the same one of
 * each product; behind any other address, the products are told apart by the first part of the path.
 */
export function callAddress(uri: string, base: string | undefined): string {
  if (base === undefined) return uri;
  const { hostname, pathname, search } = new URL(uri);
  const product = hostname.split('.', 1)[0] ?? 'api';
  const { protocol, host, pathname: root } = new URL(base);
  if (/^api\.(.+\.)?twilio\.com$/.test(host)) {
    return `${protocol}//${host.replace(/^api/, product)}${pathname}${search}`;
  }
  const place = product === 'api' ? '' : `/${product}`;
  return `${protocol}//${host}${root.replace(/(?<!\/)\/+$/, '')}${place}${pathname}${search}`;
}
