import { describe, expect, test } from 'vitest';
import { findKnownBrowser, issueKnownBrowser } from '../../../../core/members/guesses/known-browser.ts';

const email = 'ann@acme.example';
const cookie = issueKnownBrowser('key', email);
const held = (value: string, name = cookie.name) => new Map([[name, value]]);

describe('the cookie of a known browser', () => {
  test('is known to its account only', () => {
    const other = issueKnownBrowser('key', 'ben@acme.example');
    expect(findKnownBrowser('key', email, held(cookie.value))).toMatch(/^[\w-]{22}$/);
    expect(findKnownBrowser('key', email, held(other.value))).toBeNull();
    expect(findKnownBrowser('key', 'ben@acme.example', held(cookie.value, other.name))).toBeNull();
  });

  test('is worth nothing if it was changed, cut or signed with another key', () => {
    const [id = '', signature = ''] = cookie.value.split('.');
    const values = ['', id, `${id}.`, `x${id}.${signature}`, `${id}.${signature}x`, `${id}.${signature}.x`];
    for (const value of values) expect(findKnownBrowser('key', email, held(value))).toBeNull();
    expect(findKnownBrowser('other key', email, held(cookie.value))).toBeNull();
  });

  test('names no address', () => {
    expect(cookie.name + cookie.value).not.toContain('ann');
  });
});
