import { describe, expect, test } from 'vitest';
import { isOutdated, SiteTemplate } from '../../../../../core/sources/website/template/site-template.ts';

const address = (path: string) => `https://acme.example${path}`;

/** A template of pages in `/docs`, each with the given blocks and one of its own. */
function templateOf(count: number, blocksOf: (place: number) => readonly string[], folder = '/docs') {
  const template = new SiteTemplate();
  for (let place = 0; place < count; place += 1)
    template.add({ key: address(`${folder}/${place}`), blocks: [...blocksOf(place), `b own ${place}`] });
  return template;
}

describe('the template of a site', () => {
  test('is known from 12 pages on', () => {
    expect(templateOf(11, () => ['b menu']).blocksAround(address('/docs/1'))).toEqual([]);
    expect(templateOf(12, () => ['b menu']).blocksAround(address('/docs/1'))).toEqual(['b menu']);
  });

  test('is what stands on most pages, and not what stands on a half', () => {
    const template = templateOf(20, (place) => (place < 11 ? ['b most'] : []));
    expect(template.blocksAround(address('/'))).toEqual(['b most']);
    const half = templateOf(20, (place) => (place < 10 ? ['b half'] : []));
    expect(half.blocksAround(address('/'))).toEqual([]);
  });

  test('of a folder has its menus, but no sentences, which may be answers', () => {
    const template = templateOf(60, () => [], '/blog');
    for (let place = 0; place < 20; place += 1)
      template.add({
        key: address(`/shop/${place}`),
        blocks: ['b basket', 'p Free returns within 30 days.'],
      });
    expect(template.blocksAround(address('/shop/new'))).toEqual(['b basket']);
    expect(template.blocksAround(address('/blog/1'))).toEqual([]);
  });

  test('counts a page that is read again once, with its newest blocks', () => {
    const template = templateOf(12, (place) => (place < 6 ? ['b menu'] : []));
    for (let time = 0; time < 50; time += 1) template.add({ key: address('/docs/1'), blocks: ['b menu'] });
    expect(template.blocksAround(address('/docs/1'))).toEqual([]);
    for (let place = 0; place < 12; place += 1)
      template.add({ key: address(`/docs/${place}`), blocks: ['b new menu'] });
    expect(template.blocksAround(address('/docs/1'))).toEqual(['b new menu']);
  });

  test('is learnt from 128 pages at most, the same ones in any order', () => {
    const pages = Array.from({ length: 1_000 }, (_, place) => ({
      key: address(`/p/${place}`),
      blocks: [place % 3 === 0 ? 'b third' : 'b other'],
    }));
    const [one, other] = [pages, pages.toReversed()].map((order) => {
      const template = new SiteTemplate();
      const sampled = new Set<string>();
      for (const page of order) {
        const { isSampled, left } = template.add(page);
        if (isSampled) sampled.add(page.key);
        if (left !== null) sampled.delete(left);
      }
      expect(template.size).toBe(128);
      expect(template.blocksAround(address('/p/1'))).toEqual(['b other']);
      return [...sampled].toSorted();
    });
    expect(one).toHaveLength(128);
    expect(one).toEqual(other);
  });

  test('a page is outdated if more is known of the site or of its folder than when it was cut, and never for less', () => {
    const few = templateOf(3, () => []).generationFor(address('/docs/1'));
    const known = templateOf(12, () => [], '/blog').generationFor(address('/docs/1'));
    const folder = templateOf(12, () => []).generationFor(address('/docs/1'));
    const many = templateOf(64, () => []).generationFor(address('/docs/1'));
    expect([isOutdated(few, known), isOutdated(known, folder), isOutdated(folder, many)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isOutdated(known, few), isOutdated(folder, folder), isOutdated(many, known)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
