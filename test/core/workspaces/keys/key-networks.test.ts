import { describe, expect, test } from 'vitest';
import { isInNetworks, toNetwork } from '../../../../core/workspaces/keys/key-networks.ts';

test('a network has one form, and an address alone stands for itself', () => {
  expect(['203.0.113.0/24', ' 2001:DB8::/32 ', '203.0.113.7', '::1', '0.0.0.0/0'].map(toNetwork)).toEqual([
    ...['203.0.113.0/24', '2001:db8::/32', '203.0.113.7/32', '::1/128', '0.0.0.0/0'],
  ]);
});

test('another text is no network', () => {
  const texts = [
    ...['', '/', '203.0.113.0/33', '2001:db8::/129', '203.0.113.0/-1', '203.0.113.0/1/2', '203.0.113/24'],
    ...['example.com', '203.0.113.0/', '203.0.113.0/ 8', 'fe80::1%eth0', '203.0.113.256'],
  ];
  expect(texts.map(toNetwork)).toEqual(texts.map(() => null));
});

describe('an address', () => {
  const networks = ['203.0.113.0/24', '2001:db8::/32'];

  test('is in a network of its family, also in the notation for both', () => {
    for (const address of ['203.0.113.255', '2001:db8:ffff::1', '::ffff:203.0.113.9', '2001:db8::1%eth0']) {
      expect(isInNetworks(address, networks), address).toBe(true);
    }
  });

  test('is outside otherwise, and so is what is no address', () => {
    for (const address of ['203.0.114.0', '2001:db9::1', '::ffff:203.0.114.1', '', 'unix']) {
      expect(isInNetworks(address, networks), address).toBe(false);
    }
  });
});
