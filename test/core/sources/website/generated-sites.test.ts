import { describe, expect, test } from 'vitest';
import { loadHtml } from '../../../../core/knowledge/loaders/html/load-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../../core/knowledge/loaders/loader.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../../core/sources/website/website-settings.ts';
import { type GeneratedSite, generateSites } from '../../../helpers/sources/generated-sites/sites.ts';
import { pageMemory, readSource, recordedTools } from '../../../helpers/sources/read-source.ts';

const sites = generateSites();

/** Reads a site once. Returns the text of each document by its path. */
async function readSite({ origin, pages }: GeneratedSite): Promise<ReadonlyMap<string, string>> {
  const bodies = [...pages].map(([path, body]) => [origin + path, { body }] as const);
  const list = bodies.map(([address]) => `<url><loc>${address}</loc></url>`).join('');
  const sitemap = { headers: { 'content-type': 'application/xml' }, body: `<urlset>${list}</urlset>` };
  const answers = { ...Object.fromEntries(bodies), [`${origin}/sitemap.xml`]: sitemap };
  const memory = pageMemory(bodies.map(([address]) => address));
  const { tools } = recordedTools(answers, { memory });
  const settings = websiteSettings.parse({ url: `${origin}/sitemap.xml` });
  const { outcomes } = await readSource(website.open({ settings, credentials: {} }, tools));
  const texts = new Map<string, string>();
  for (const [address, outcome] of outcomes) {
    if (outcome.kind !== 'content') continue;
    const { blocks, title } = loadHtml(Buffer.from(outcome.bytes).toString(), DEFAULT_LOADING_LIMITS);
    const lines = [title ?? '', ...blocks.flatMap((block) => [...block.headings, block.text])];
    texts.set(address.slice(origin.length), lines.join(' ').replace(/\s+/g, ' '));
  }
  return texts;
}

/** The sentences that the generator made for a page. */
const sentencesIn = (html: string): readonly string[] =>
  html.match(/(?:Before a release|After an outage|Once a quarter|In a new office|On site), [^<.]+\./g) ?? [];

describe('512 pages in the manner of eight generators', () => {
  test('are the same for the same seed, and hold every judged text', () => {
    expect(sites.map(({ name, pages }) => [name, pages.size])).toEqual(sites.map(({ name }) => [name, 64]));
    expect(generateSites()[3]?.pages).toEqual(sites[3]?.pages);
    expect(sites.flatMap(({ truth }) => truth)).toHaveLength(20);
    const missing = sites.flatMap(({ pages, truth }) =>
      truth.flatMap(({ path, wanted, unwanted }) =>
        [...wanted, ...unwanted].filter((text) => !(pages.get(path) ?? '').includes(text)),
      ),
    );
    // Structured data says the same in another way.
    expect(missing).toEqual(['in stock']);
  });

  test.each(sites)(
    '$name: every page is a document with all its sentences and the judged texts',
    async (site) => {
      const texts = await readSite(site);
      expect([...texts.keys()].toSorted()).toEqual([...site.pages.keys()].toSorted());
      for (const [path, html] of site.pages) {
        expect(sentencesIn(html).filter((sentence) => !texts.get(path)?.includes(sentence))).toEqual([]);
      }
      const wanted = site.truth.flatMap((page) =>
        page.wanted.filter((text) => !texts.get(page.path)?.includes(text)),
      );
      // The first address keeps text that no other document contains any more.
      const [first] = [...site.pages.keys()].toSorted();
      const others = site.truth.filter(({ path }) => path !== first);
      const unwanted = others.flatMap((page) =>
        page.unwanted.filter((text) => texts.get(page.path)?.includes(text)),
      );
      expect({ wanted, unwanted }).toEqual({ wanted: [], unwanted: [] });
    },
  );
});
