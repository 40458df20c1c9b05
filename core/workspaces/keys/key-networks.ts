import { BlockList, isIP } from 'node:net';

/** An API key has at most as many networks. */
export const MAX_KEY_NETWORKS = 20;

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/**
 * Returns a network in CIDR notation, such as `203.0.113.0/24` or `2001:db8::/32`, in one form: an address alone stands for
 * itself. Null if the text is neither. Pure.
 */
export function toNetwork(text: string): string | null {
  const network = parseNetwork(text.trim().toLowerCase());
  return network && `${network.address}/${network.prefix}`;
}

/** Whether a client's address lies in one of the networks. Pure. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  // The zone of a link-local address names an interface of this machine.
  const [plain = ''] = address.split('%');
  const family = familyOf(plain);
  if (family === null) return false;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network !== null) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list.check(plain, family);
}

function parseNetwork(text: string): Network | null {
  const [address = '', prefix, ...more] = text.split('/');
  const family = address.includes('%') ? null : familyOf(address);
  if (family === null || more.length > 0) return null;
  const most = family === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return { address, family, prefix: most };
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > most) return null;
  return { address, family, prefix: Number(prefix) };
}

function familyOf(address: string): Network['family'] | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}
