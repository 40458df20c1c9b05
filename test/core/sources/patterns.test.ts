import { describe, expect, test } from 'vitest';
import { createFilter } from '../../../core/sources/patterns.ts';

const matches = (pattern: string, address: string) =>
  createFilter({ include: [pattern], exclude: [] })(address);

describe('patterns of a source', () => {
  test.each([
    ['/docs/**', 'https://acme.example/docs', true],
    ['/docs/**', 'https://acme.example/docs/', true],
    ['/docs/**', 'https://acme.example/docs/a/b?page=2#top', true],
    ['/docs/**', 'https://acme.example/docsearch', false],
    ['/docs/**', 'https://acme.example/en/docs/a', false],
    ['/docs/*', 'https://acme.example/docs/a', true],
    ['/docs/*', 'https://acme.example/docs/a/b', false],
    ['/**', 'https://acme.example/', true],
    ['*.pdf', 'https://acme.example/a/b.pdf', true],
    ['*.pdf', 'https://acme.example/a/b.pdf.html', false],
    ['*.pdf', 'a/b.pdf', true],
    ['drafts/**', 'guides/drafts/a.md', true],
    ['drafts/**', 'guides/mydrafts/a.md', false],
    ['/guides/**', 'guides/a.md', true],
    ['https://docs.acme.example/**', 'https://docs.acme.example/a?b=c', true],
    ['https://docs.acme.example/**', 'https://acme.example/a', false],
    ['/search?*', 'https://acme.example/search?q=tea', true],
    ['/search?*', 'https://acme.example/search', false],
    ['/a.b', 'https://acme.example/aXb', false],
    ['/(a|b)', 'https://acme.example/a', false],
    ['/über/*', 'https://acme.example/%C3%BCber/uns', true],
  ])('%s on %s: %s', (pattern, address, expected) => {
    expect(matches(pattern, address)).toBe(expected);
  });

  test('exclude wins over include', () => {
    const isWanted = createFilter({ include: ['/docs/**'], exclude: ['*.pdf'] });
    expect(isWanted('https://acme.example/docs/a.html')).toBe(true);
    expect(isWanted('https://acme.example/docs/a.pdf')).toBe(false);
    expect(isWanted('https://acme.example/blog')).toBe(false);
  });

  test('everything is wanted without patterns', () => {
    expect(createFilter({ include: [], exclude: [] })('https://acme.example/')).toBe(true);
  });

  test('a pattern made to be slow costs no more steps than the address has characters', () => {
    const pattern = `/${'**a'.repeat(40)}b`;
    expect(matches(pattern, `https://acme.example/${'a'.repeat(1_900)}`)).toBe(false);
  });
});
