import ipaddr from 'ipaddr.js';

/** A line is given so many leading bits of an IPv6 address: whoever has one address of them has them all. */
const lineBits = 64;

/** What counts as one caller: an IPv4 address (mapped ones too), or the /64 network of an IPv6 one. */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${lineBits}`)}/${lineBits}`;
}
