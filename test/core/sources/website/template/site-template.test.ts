import { describe, expect, test } from 'vitest';
import { SiteTemplate } from '../../../../../core/sources/website/template/site-template.ts';

const address = (path: string) => `https://acme.example${path}`;

const templateAround = (template: SiteTemplate, key: string) => template.blocksAround(key).template;

/** A template of pages in `/docs`, each with the given blocks and one of its own. */
function templateOf(count: number, blocksOf: (place: number) => readonly string[], folder = '/docs') {
  const template = new SiteTemplate();
  for (let place = 0; place < count; place += 1)
    template.add({ key: address(`${folder}/${place}`), blocks: [...blocksOf(place), `b own ${place}`] });
  return template;
}

describe('the template of a site', () => {
  test('is known from 12 pages on', () => {
    expect(
      templateAround(
        templateOf(11, () => ['b menu']),
        address('/docs/1'),
      ),
    ).toEqual([]);
    expect(
      templateAround(
        templateOf(12, () => ['b menu']),
        address('/docs/1'),
      ),
    ).toEqual(['b menu']);
  });

  test('is what stands on more than three fifths of the pages', () => {
    const template = templateOf(20, (place) => (place < 13 ? ['b most'] : []));
    expect(templateAround(template, address('/'))).toEqual(['b most']);
    const half = templateOf(20, (place) => (place < 12 ? ['b half'] : []));
    expect(templateAround(half, address('/'))).toEqual([]);
  });

  test('of a folder has its menus, but no sentences, which may be answers', () => {
    const template = templateOf(60, () => [], '/blog');
    for (let place = 0; place < 20; place += 1)
      template.add({
        key: address(`/shop/${place}`),
        blocks: ['b basket', 'p Free returns within 30 days.'],
      });
    expect(templateAround(template, address('/shop/new'))).toEqual(['b basket']);
    expect(templateAround(template, address('/blog/1'))).toEqual([]);
  });

  test('is kept by the first address that has it, also after a thousand other pages', () => {
    const template = templateOf(1_000, () => ['b exit status']);
    const keepers = Array.from({ length: 1_000 }, (_, place) => address(`/docs/${place}`)).filter(
      (key) => template.blocksAround(key).kept.length > 0,
    );
    expect(keepers).toEqual([address('/docs/0')]);
  });

  test('of a folder has nothing that one page in five lacks', () => {
    const template = templateOf(100, () => [], '/blog');
    for (let place = 0; place < 20; place += 1)
      template.add({ key: address(`/shop/${place}`), blocks: place < 16 ? ['b In stock'] : [] });
    expect(templateAround(template, address('/shop/new'))).toEqual([]);
  });

  test('counts a page that is read again once, with its newest blocks', () => {
    const template = templateOf(12, (place) => (place < 7 ? ['b menu'] : []));
    for (let time = 0; time < 50; time += 1) template.add({ key: address('/docs/1'), blocks: ['b menu'] });
    expect(templateAround(template, address('/docs/1'))).toEqual([]);
    for (let place = 0; place < 12; place += 1)
      template.add({ key: address(`/docs/${place}`), blocks: ['b new menu'] });
    expect(templateAround(template, address('/docs/1'))).toEqual(['b new menu']);
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
      expect(templateAround(template, address('/p/1'))).toEqual(['b other']);
      return [...sampled].toSorted();
    });
    expect(one).toHaveLength(128);
    expect(one).toEqual(other);
    expect(one).toContain(address('/p/0'));
  });
});
