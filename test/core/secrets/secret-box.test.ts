import { expect, test } from 'vitest';
import { SecretBox } from '../../../core/secrets/secret-box.ts';

const keys = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
const [key, other, third] = keys as [Buffer, Buffer, Buffer];
const box = new SecretBox(key);
const place = { table: 'webhook', column: 'secret_encrypted', id: 'hook_1' } as const;

test('a sealed secret opens, contains its key id, and never looks the same twice', () => {
  const [one, two] = [box.seal('geheim', place), box.seal('geheim', place)];
  expect(one).not.toBe(two);
  expect(one).not.toContain('geheim');
  expect(one).toMatch(new RegExp(`^v2\\.${box.keyId}\\.`));
  expect([box.open(one, place), box.open(two, place)]).toEqual(['geheim', 'geheim']);
});

test.each([
  ['row', { ...place, id: 'hook_2' }],
  ['column', { ...place, column: 'previous_secret_encrypted' }],
  ['table', { ...place, table: 'http_skill' }],
] as const)('a ciphertext copied to another %s does not open', (_, moved) => {
  const sealed = box.seal('geheim', place);
  expect(() => box.open(sealed, moved)).toThrow(/altered or copied from another row/);
});

test('an altered text does not open', () => {
  const sealed = box.seal('geheim', place);
  const altered = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  expect(() => box.open(altered, place)).toThrow(/altered/);
});

test('a missing key is named by its id, with the variable to set', () => {
  const sealed = box.seal('geheim', place);
  const stranger = new SecretBox(other);
  expect(() => stranger.open(sealed, place)).toThrow(
    new RegExp(`encrypted with the key ${box.keyId}\\. .*ENCRYPTION_KEY_PREVIOUS`),
  );
});

test('previous keys open their values, and new secrets use the current key', () => {
  const sealed = box.seal('geheim', place);
  const next = new SecretBox(other, [third, key]);
  expect(next.open(sealed, place)).toBe('geheim');
  expect(next.isCurrent(sealed)).toBe(false);
  expect(next.isCurrent(next.seal('geheim', place))).toBe(true);
});

test('a box can change its key while in use, and still opens earlier values', () => {
  const live = new SecretBox(key);
  const sealed = live.seal('geheim', place);
  live.changeKey(other);
  expect(live.keyId).toBe(new SecretBox(other).keyId);
  expect(live.open(sealed, place)).toBe('geheim');
  expect(new SecretBox(other).open(live.seal('new', place), place)).toBe('new');
});
