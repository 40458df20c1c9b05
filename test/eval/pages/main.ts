import { loadHtml } from '../../../core/knowledge/loaders/html/load-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loader.ts';
import { website } from '../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../core/sources/website/website-settings.ts';
import {
  type GeneratedSite,
  generateSites,
  type JudgedPage,
} from '../../helpers/sources/generated-sites/sites.ts';
import { pageMemory, readSource, recordedTools, SourceMemory } from '../../helpers/sources/read-source.ts';
import { type Extract, openPeers } from './peers.ts';

const FORM_OF_USE = `Usage: npm run eval -- pages [OPTION]…

Reads eight generated websites in the manner of eight generators as the website source does, and counts which texts of 20
judged pages are in their documents: the wanted ones, and those of the site around them.

  --peers FOLDER     also asks @mozilla/readability and defuddle, installed with linkedom in FOLDER
  --failures         prints each text that is missing or left over, except of the pages that are held out
`;

interface Tally {
  wanted: number;
  found: number;
  unwanted: number;
  left: number;
}

type Texts = ReadonlyMap<string, string>;

/** Measures what becomes of judged pages. Returns the exit code. */
export async function evaluatePages(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(FORM_OF_USE);
    return 0;
  }
  const folder = args.find((_, index) => args[index - 1] === '--peers');
  const showsFailures = args.includes('--failures');
  const sites = generateSites();
  const peers = folder === undefined ? [] : await openPeers(folder);
  const runs = new Map<string, Texts>();
  const [first, second] = await readTwice(sites);
  runs.set('Parley, first run', first);
  runs.set('Parley, second run', second);
  for (const { name, extract } of peers) runs.set(name, extractAll(sites, extract));
  for (const [name, texts] of runs) {
    for (const isHeldOut of [false, true]) {
      const failures: string[] = [];
      const tally = judgeAll(sites, texts, { isHeldOut, failures });
      process.stdout.write(`${row(`${name}${isHeldOut ? ', held out' : ''}`, tally)}\n`);
      if (showsFailures && !isHeldOut && name.startsWith('Parley'))
        for (const line of failures) process.stdout.write(`    ${line}\n`);
    }
  }
  return 0;
}

function row(name: string, { wanted, found, unwanted, left }: Tally): string {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  return `${name.padEnd(34)} wanted ${share(found, wanted).padEnd(22)} unwanted ${share(left, unwanted)}`;
}

/** Reads each site twice with one memory, and returns the texts of the documents after each run, by address. */
async function readTwice(sites: readonly GeneratedSite[]): Promise<readonly [Texts, Texts]> {
  const first = new Map<string, string>();
  const second = new Map<string, string>();
  for (const { origin, pages } of sites) {
    const bodies = [...pages].map(([path, body]) => [origin + path, { body }] as const);
    const list = [...pages.keys()].map((path) => `<url><loc>${origin}${path}</loc></url>`).join('');
    const answers = {
      ...Object.fromEntries(bodies),
      [`${origin}/sitemap.xml`]: {
        headers: { 'content-type': 'application/xml' },
        body: `<urlset>${list}</urlset>`,
      },
    };
    const { tools } = recordedTools(answers, { memory: pageMemory(bodies.map(([address]) => address)) });
    const settings = websiteSettings.parse({ url: `${origin}/sitemap.xml`, requests_per_second: 10 });
    const memory = new SourceMemory();
    for (const texts of [first, second]) {
      if (texts === second) for (const [address, text] of first) second.set(address, text);
      const { outcomes } = await readSource(website.open({ settings, credentials: {} }, tools), memory);
      for (const [address, outcome] of outcomes) {
        if (outcome.kind === 'content')
          texts.set(address, textOf(Buffer.from(outcome.bytes).toString('utf8')));
      }
    }
  }
  return [first, second];
}

/** The text of a document with its headings, as passages hold it. */
function textOf(html: string): string {
  const { blocks, title } = loadHtml(html, DEFAULT_LOADING_LIMITS);
  return [title ?? '', ...blocks.flatMap((block) => [...block.headings, block.text])].join('\n');
}

function extractAll(sites: readonly GeneratedSite[], extract: Extract): Texts {
  const judged = sites.flatMap(({ origin, pages, truth }) =>
    truth.map(({ path }) => [origin + path, extract(pages.get(path) ?? '', origin + path)] as const),
  );
  return new Map(judged);
}

interface Judging {
  readonly isHeldOut: boolean;
  readonly failures: string[];
}

function judgeAll(sites: readonly GeneratedSite[], texts: Texts, judging: Judging): Tally {
  const tally: Tally = { wanted: 0, found: 0, unwanted: 0, left: 0 };
  for (const { origin, truth } of sites) {
    for (const page of truth) {
      if (page.isHeldOut === judging.isHeldOut)
        judge(page, texts.get(origin + page.path) ?? '', tally, judging);
    }
  }
  return tally;
}

function judge(
  { path, wanted, unwanted }: JudgedPage,
  text: string,
  tally: Tally,
  { failures }: Judging,
): void {
  const plain = text.replace(/\s+/g, ' ');
  const missing = wanted.filter((part) => !plain.includes(part));
  const left = unwanted.filter((part) => plain.includes(part));
  tally.wanted += wanted.length;
  tally.found += wanted.length - missing.length;
  tally.unwanted += unwanted.length;
  tally.left += left.length;
  failures.push(
    ...missing.map((part) => `${path} misses: ${part}`),
    ...left.map((part) => `${path} has: ${part}`),
  );
}
