import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

/** Returns the text that an extractor takes from a page. */
export type Extract = (html: string, address: string) => string;

interface Peer {
  readonly name: string;
  readonly extract: Extract;
}

const moduleWith = <Value>(name: string) =>
  z.looseObject({ [name]: z.custom<Value>((value) => typeof value === 'function') });

type ParseHtml = (html: string) => { readonly document: object };
type Readability = new (
  document: object,
) => { parse: () => { readonly textContent?: string | null; readonly title?: string | null } | null };
type Defuddle = new (
  document: object,
  options: { readonly url: string },
) => { parse: () => { readonly content: string; readonly title: string } };

/**
 * Opens @mozilla/readability and defuddle on linkedom from a folder where they are installed. They are compared with,
 * and no dependency of this project.
 */
export async function openPeers(folder: string): Promise<readonly Peer[]> {
  const require = createRequire(join(folder, 'package.json'));
  const load = (name: string): unknown => require(name);
  const parse = moduleWith<ParseHtml>('parseHTML').parse(load('linkedom')).parseHTML;
  const Reader = moduleWith<Readability>('Readability').parse(load('@mozilla/readability')).Readability;
  const loaded = load('defuddle');
  const Cutter = z
    .union([z.custom<Defuddle>((value) => typeof value === 'function'), moduleWith<Defuddle>('default')])
    .transform((found) => (typeof found === 'function' ? found : found.default))
    .parse(loaded);
  if (parse === undefined || Reader === undefined || Cutter === undefined)
    throw new TypeError('a peer has changed');
  const textOf = (html: string): string => {
    const { document } = parse(`<!doctype html><html><body>${html}</body></html>`);
    const spaced = z.object({ body: z.object({ textContent: z.string() }) }).parse(document);
    return spaced.body.textContent;
  };
  return [
    {
      name: '@mozilla/readability',
      extract: (html) => {
        const article = new Reader(parse(html).document).parse();
        return `${article?.title ?? ''}\n${article?.textContent ?? ''}`;
      },
    },
    {
      name: 'defuddle',
      extract: (html, url) => {
        const { title, content } = new Cutter(parse(html).document, { url }).parse();
        // Blocks end lines, so that texts of two blocks do not run together.
        return `${title}\n${textOf(content.replaceAll('<', ' <'))}`;
      },
    },
  ];
}
