import ipaddr from 'ipaddr.js';

const globalUnicastIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an IP address belongs to the public internet. Anything else is not: loopback, private and link-local
 * networks, reserved ranges, and the ranges that carry an IPv4 address inside an IPv6 one. Mapped IPv4 addresses
 * (`::ffff:10.0.0.1`) are judged as the IPv4 address they are.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(globalUnicastIpv6);
}
