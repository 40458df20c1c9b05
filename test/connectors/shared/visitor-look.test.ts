import { expect, test } from 'vitest';
import { chatAppearance } from '../../../connectors/shared/first-party-channel.ts';

const isAccepted = (logo_url: string) => chatAppearance.safeParse({ logo_url }).success;

test('accepts a logo with an https address', () => {
  expect(isAccepted('https://cdn.shop.example/logo.png?v=2')).toBe(true);
  expect(isAccepted('http://cdn.shop.example/logo.png')).toBe(false);
  expect(isAccepted('javascript:alert(1)')).toBe(false);
});

test.each(['https://ada:geheim@cdn.shop.example/logo.png', 'https://token@cdn.shop.example/logo.png'])(
  'refuses a logo address with credentials, %s, because visitors would see them',
  (address) => {
    expect(isAccepted(address)).toBe(false);
  },
);
