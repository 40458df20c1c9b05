import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../core/base/http-client.ts';

describe('isPublicAddress', () => {
  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['this machine', '127.0.0.1'],
    ['this machine', '127.1.2.3'],
    ['this machine', '::1'],
    ['any address of this machine', '0.0.0.0'],
    ['a private network', '10.1.2.3'],
    ['a private network', '172.16.0.1'],
    ['a private network', '192.168.1.1'],
    ['a private network', 'fd00::1'],
    ["a provider's network", '100.64.0.1'],
    ['the metadata service of clouds', '169.254.169.254'],
    ['the local link', 'fe80::1%eth0'],
    ['multicast', '224.0.0.1'],
    ['a reserved range', '240.0.0.1'],
    ['a private IPv4 address, mapped', '::ffff:10.0.0.1'],
    ['a private IPv4 address, in the old compatible form', '::7f00:1'],
    ['an IPv4 address behind NAT64', '64:ff9b::7f00:1'],
    ['an IPv4 address behind 6to4', '2002:7f00:1::'],
    ['no address at all', 'localhost'],
  ])('%s is not public: %s', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
