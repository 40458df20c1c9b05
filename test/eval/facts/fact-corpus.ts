import type { FactTemplates, PairTemplate } from './templates.ts';

/** A page of the corpus, in Markdown. */
export interface CorpusPage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface FactCorpus {
  readonly pages: readonly CorpusPage[];
  /** The pairs of pages that contradict each other, by their ids, the lower first. */
  readonly planted: ReadonlySet<string>;
  readonly stale: ReadonlySet<string>;
}

export function pairId(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

const PLACES =
  `Altona Bremen Cork Dover Essen Fulda Gera Hull Jena Kiel Lyon Metz Nancy Oslo Pisa Riga Soest Trier Ulm Verona
  Wels York Zug Aachen Bonn Celle Derby Exeter Fürth Ghent Halle Ipswich Jever Kassel Leeds Minden Norwich Oxford Perth Rheine
  Siena Torun Utrecht Vaasa Worms Xanten Ystad Zwolle Ancona Bergen Calais Delft Emden Faro Genoa Hameln Imola Kalmar Lemgo Malmo
  Narvik Odense Padua Rennes Stade Tampere Udine Vlora Weimar Zadar Arezzo Bochum Coburg Dresden Elche Foggia Gdansk Husum`
    .trim()
    .split(/\s+/u);
const MODELS =
  'Alder Birch Cedar Elm Fir Hazel Ivy Juniper Larch Maple Oak Pine Rowan Spruce Willow Yew'.split(' ');
const THINGS = 'kettle lamp heater mixer toaster blender fan speaker camera scooter'.split(' ');
const NAMES = MODELS.flatMap((model) =>
  ['soft', 'ware', 'cloud', 'net', 'desk'].map((end) => `${model}${end}`),
);
const PRODUCTS = MODELS.flatMap((model) => THINGS.map((thing) => `${model} ${thing}`));

const FILLERS = {
  en: [
    'We are glad that you are interested.',
    'Our staff will help you with a smile.',
    'Write to us whenever something is unclear.',
    'Many people have told us how much they like it.',
    'We read every message and learn from it.',
    'Pictures show examples.',
  ],
  de: [
    'Wir freuen uns über Ihr Interesse.',
    'Unsere Leute helfen Ihnen gern weiter.',
    'Schreiben Sie uns, falls etwas unklar bleibt.',
    'Bilder zeigen Beispiele.',
  ],
} as const;

/** Mulberry32: the same seed gives the same corpus. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface CorpusSize {
  readonly seed: number;
  /** All pages; those of the templates are filled up with others. */
  readonly pages: number;
  /** Takes only so many templates of each kind; all by default. */
  readonly templates?: number;
  readonly stale?: number;
}

/** Makes a corpus with planted contradictions, pairs that only look like it, and pages that are out of date. */
export function makeFactCorpus(
  templates: FactTemplates,
  { seed, pages: wanted, ...size }: CorpusSize,
): FactCorpus {
  const random = seeded(seed);
  const used = { place: 0, product: 0, name: 0, none: 0 };
  const lists = { place: PLACES, product: PRODUCTS, name: NAMES, none: [''] };
  const offset = Math.floor(random() * 50);
  const next = (slot: PairTemplate['slot']): string => {
    const list = lists[slot];
    used[slot] += 1;
    return list[(used[slot] * 7 + offset) % list.length] ?? '';
  };
  const pages: CorpusPage[] = [];
  const add = (title: string, text: string, language: 'en' | 'de' = 'en'): string => {
    const id = `page-${String(pages.length).padStart(4, '0')}`;
    const pick = () => FILLERS[language][Math.floor(random() * FILLERS[language].length)] ?? '';
    pages.push({ id, title, text: `# ${title}\n\n${pick()}\n\n${text}\n\n${pick()}\n` });
    return id;
  };
  const addPairs = (list: readonly PairTemplate[]): string[] =>
    list.flatMap(({ titles, texts, values, slot, language }) =>
      values.map(([a, b]) => {
        const name = next(slot);
        const fill = (text: string) => text.replaceAll('{s}', name).replaceAll('{a}', a).replaceAll('{b}', b);
        return pairId(
          add(fill(titles[0]), fill(texts[0]), language),
          add(fill(titles[1]), fill(texts[1]), language),
        );
      }),
    );
  const some = <Template>(list: readonly Template[]) => list.slice(0, size.templates ?? list.length);
  const planted = new Set(addPairs(some(templates.contradictions)));
  addPairs(some(templates.decoys));
  const stale = new Set<string>();
  for (let index = 0; index < (size.stale ?? 25); index += 1) {
    const name = next('place');
    const fill = (text: string) => text.replaceAll('{s}', name);
    const [title, text] = templates.stale[index % templates.stale.length] ?? ['', ''];
    stale.add(add(fill(title), fill(text)));
    const [other, right] = templates.current[index % templates.current.length] ?? ['', ''];
    add(fill(other), fill(right));
  }
  for (let index = 0; pages.length < wanted; index += 1) {
    const product = PRODUCTS[index % PRODUCTS.length] ?? '';
    const place = PLACES[index % PLACES.length] ?? '';
    const part = ['lid', 'plug', 'foot', 'grip', 'dial'][index % 5] ?? '';
    add(
      `Spare ${part} ${index} for the ${product}`,
      `The spare ${part} ${index} is made in ${place}. It weighs ${3 + (index % 40)} g and costs ${2 + (index % 30)} euros.`,
    );
  }
  return { pages, planted, stale };
}
