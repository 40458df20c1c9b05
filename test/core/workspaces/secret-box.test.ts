import { expect, test } from 'vitest';
import { SecretBox } from '../../../core/workspaces/secret-box.ts';

const box = new SecretBox(Buffer.alloc(32, 1));

test('what is sealed can be opened again, and never looks the same twice', () => {
  const [one, other] = [box.seal('geheim'), box.seal('geheim')];
  expect(one).not.toBe(other);
  expect(one).not.toContain('geheim');
  expect([box.open(one), box.open(other)]).toEqual(['geheim', 'geheim']);
});

test('another key, or an altered text, opens nothing and says which variable is wrong', () => {
  const sealed = box.seal('geheim');
  const altered = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const open of [() => new SecretBox(Buffer.alloc(32, 2)).open(sealed), () => box.open(altered)]) {
    expect(open).toThrow(/^ENCRYPTION_KEY is not the key/);
  }
});
