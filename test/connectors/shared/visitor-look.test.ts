import { expect, test } from 'vitest';
import { chatAppearance } from '../../../connectors/shared/first-party-channel.ts';

const takes = (logo_url: string) => chatAppearance.safeParse({ logo_url }).success;

test('a logo has an https address', () => {
  expect(takes('https://cdn.shop.example/logo.png?v=2')).toBe(true);
  expect(takes('http://cdn.shop.example/logo.png')).toBe(false);
  expect(takes('javascript:alert(1)')).toBe(false);
});

test.each(['https://ada:geheim@cdn.shop.example/logo.png', 'https://token@cdn.shop.example/logo.png'])(
  'a logo address with credentials, %s, is refused: visitors would read them',
  (address) => {
    expect(takes(address)).toBe(false);
  },
);
