import { expect, test } from 'vitest';
import { toAddressGroup } from '../../../core/limits/public-rate.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['nonsense', 'nonsense'],
])('%s belongs to %s', (address, group) => {
  expect(toAddressGroup(address)).toBe(group);
});
