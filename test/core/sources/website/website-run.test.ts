import { afterAll, describe, expect, test } from 'vitest';
import { website } from '../../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../../core/sources/website/website-settings.ts';
import {
  type Outcome,
  pageMemory,
  readSource,
  SourceMemory,
  sourceTools,
} from '../../../helpers/sources/read-source.ts';
import { openSite } from '../../../helpers/sources/site.ts';
import { trapContent, trapOutcomes } from '../../../helpers/sources/site-traps.ts';

const site = await openSite();
const plain = await openSite({ hasTraps: false });
plain.offerSitemap();
afterAll(() => Promise.all([site.close(), plain.close()]));

function openReader(origin: string, settings: object = {}, pages = pageMemory()) {
  const { tools, asked, waits } = sourceTools({ host: new URL(origin).host, memory: pages });
  const values = { settings: websiteSettings.parse({ url: `${origin}/`, ...settings }), credentials: {} };
  return { reader: website.open(values, tools), asked, waits };
}

/** Kinds of outcomes by path; the code instead for what is skipped or fails. */
function summarise(origin: string, outcomes: ReadonlyMap<string, Outcome>): Record<string, string> {
  const entries = [...outcomes].map(([key, outcome]) => {
    const label = outcome.kind === 'skipped' ? outcome.code : outcome.kind;
    return [key.replace(origin, ''), outcome.kind === 'failed' ? outcome.error.code : label];
  });
  return Object.fromEntries(entries);
}

function pathsOfKind(summary: Record<string, string>, kind: string): readonly string[] {
  return Object.keys(summary)
    .filter((path) => summary[path] === kind)
    .toSorted();
}

const trapPaths = (origin: string, addresses: readonly string[]) =>
  addresses.map((address) => address.slice(origin.length));

describe.sequential('a site of 1,000 pages with traps, read by its links', () => {
  const memory = new SourceMemory();
  const pages = pageMemory();
  const wanted = trapPaths(site.origin, site.wanted);

  test('the first run reads exactly the wanted pages, and each trap ends as it should', async () => {
    const { reader, asked, waits } = openReader(site.origin, {}, pages);
    const { outcomes } = await readSource(reader, memory);
    const summary = summarise(site.origin, outcomes);
    expect(pathsOfKind(summary, 'content')).toEqual([...wanted, ...trapContent].toSorted());
    expect(summary).toMatchObject(trapOutcomes);
    expect(asked.filter((address) => !address.startsWith(site.origin))).toEqual([]);
    // Variants of a path: 50 of the shop's filters and 50 pages of the list.
    expect(Object.keys(summary).filter((path) => path.startsWith('/shop?'))).toHaveLength(50);
    // The client sends one request in 200 ms, each in its own turn.
    expect(waits.length).toBeGreaterThan(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(200);
  });

  test('the second run cuts pages without validators by what is known now, and reads nothing else anew', async () => {
    const { outcomes } = await readSource(openReader(site.origin, {}, pages).reader, memory);
    const summary = summarise(site.origin, outcomes);
    const recut = pathsOfKind(summary, 'content');
    expect([...pathsOfKind(summary, 'unchanged'), ...recut].toSorted()).toEqual(
      [...wanted, ...trapContent].toSorted(),
    );
    expect(recut.length).toBeGreaterThan(0);
    expect(recut.length).toBeLessThan(100);
  });

  test('the third run sends conditions, and nothing has changed', async () => {
    site.requests.length = 0;
    const { outcomes } = await readSource(openReader(site.origin, {}, pages).reader, memory);
    const summary = summarise(site.origin, outcomes);
    expect(pathsOfKind(summary, 'unchanged')).toEqual([...wanted, ...trapContent].toSorted());
    expect(pathsOfKind(summary, 'content')).toEqual([]);
    const unconditional = site.requests.filter(
      ({ path, hasConditions }) => path.startsWith('/docs/') && !hasConditions,
    );
    // A fifth of the pages has no validators: those are compared by their content.
    expect(unconditional.length).toBeLessThan(wanted.length / 4);
    expect(site.requests.filter(({ status }) => status === 304).length).toBeGreaterThan(700);
  });

  test('a changed page is content, and a removed one is gone', async () => {
    site.change('/docs/s4/p4');
    site.change('/docs/s5/p5');
    site.remove('/docs/s6/p6');
    const { outcomes } = await readSource(openReader(site.origin, {}, pages).reader, memory);
    const summary = summarise(site.origin, outcomes);
    expect(pathsOfKind(summary, 'content')).toEqual(['/docs/s4/p4', '/docs/s5/p5']);
    expect(summary['/docs/s6/p6']).toBe('gone');
    const changed = outcomes.get(site.address('/docs/s4/p4'));
    const text = changed?.kind === 'content' ? Buffer.from(changed.bytes).toString() : '';
    expect(text).toContain('Edition 1.');
    expect(text).not.toMatch(/cookies|Imprint|token/);
  });
});

describe.sequential('a site with a sitemap', () => {
  const memory = new SourceMemory();

  test('its index names all pages, which need no links', async () => {
    const { outcomes } = await readSource(openReader(plain.origin).reader, memory);
    const keys = [...outcomes].filter(([, { kind }]) => kind === 'content').map(([key]) => key);
    expect(keys.toSorted()).toEqual([...plain.wanted].toSorted());
    expect(plain.requests.map(({ path }) => path)).toContain('/sitemap-2.xml.gz');
  });

  test('pages with the same lastmod are not asked for again', async () => {
    plain.change('/docs/s1/p1');
    plain.requests.length = 0;
    const { outcomes } = await readSource(openReader(plain.origin).reader, memory);
    const changed = [...outcomes].filter(([, { kind }]) => kind !== 'current').map(([key]) => key);
    expect(changed).toEqual([plain.address('/docs/s1/p1')]);
    expect(plain.requests.filter(({ path }) => path.startsWith('/docs/'))).toHaveLength(1);
  });

  test('by its sitemap only, a list is complete: a removed page is missing from it', async () => {
    plain.remove('/docs/s2/p2');
    const { reader } = openReader(plain.origin, { follow: 'sitemap' });
    const { outcomes } = await readSource(reader);
    expect(reader.isComplete).toBe(true);
    expect(outcomes.has(plain.address('/docs/s2/p2'))).toBe(false);
    expect(outcomes.size).toBe(plain.wanted.length - 1);
  });
});
