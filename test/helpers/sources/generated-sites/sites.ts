import { business } from './business.ts';
import { documentation, plainBody } from './documentation.ts';
import { handmade } from './handmade.ts';
import { type Generator, type PlainPage, Prose, topicAt } from './prose.ts';
import { type TruthPage, truthPages } from './truth.ts';

const PAGES = 64;

export interface GeneratedSite {
  readonly name: string;
  readonly origin: string;
  /** HTML by path, in the order of the site map. */
  readonly pages: ReadonlyMap<string, string>;
  readonly truth: readonly JudgedPage[];
}

export interface JudgedPage {
  readonly path: string;
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  readonly isHeldOut: boolean;
}

/** Eight sites, of 64 pages each by default, in the manner of generators that companies use. The seed decides the prose of their pages. */
export function generateSites(seed = 20_261, pages = PAGES): readonly GeneratedSite[] {
  return [...documentation, ...business, ...handmade].map((generator, place) =>
    generateSite(generator, new Prose(seed + place), pages),
  );
}

function generateSite(generator: Generator, prose: Prose, count: number): GeneratedSite {
  const truth = truthPages.filter((page) => page.generator === generator.name);
  const plain = Array.from({ length: count - truth.length }, (_, index): PlainPage => {
    const title = topicAt(index);
    const path = generator.pathOf(title.toLowerCase().replaceAll(' ', '-'));
    return { path, title, ...plainBody({ prose, index }, title) };
  });
  // Spread over the site, so that some are read before its template is known.
  const pages = [...plain];
  for (const [place, page] of truth.entries()) {
    pages.splice(2 + place * 17, 0, { ...page, path: generator.pathOf(page.slug) });
  }
  const rendered = pages.map(
    (page, index) => [page.path, generator.render(page, { prose, pages, index })] as const,
  );
  return {
    name: generator.name,
    origin: `https://${generator.host}`,
    pages: new Map(rendered),
    truth: truth.map((page) => judge(generator, page)),
  };
}

function judge(
  generator: Generator,
  { slug, wanted, unwanted = [], isHeldOut = false }: TruthPage,
): JudgedPage {
  return { path: generator.pathOf(slug), wanted, unwanted: [...generator.furniture, ...unwanted], isHeldOut };
}
