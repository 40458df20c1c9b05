/** Prose that a seed decides: the same seed gives the same site. */
export class Prose {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below `limit` (mulberry32). */
  number(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.number(values.length)] ?? values[0];
  }

  sentence(subject: string): string {
    const when = this.pick([
      'Before a release',
      'After an outage',
      'Once a quarter',
      'In a new office',
      'On site',
    ]);
    const verb = this.pick(['checks', 'copies', 'measures', 'renews', 'compares', 'archives']);
    const thing = this.pick([
      'the valves',
      'the ledger',
      'each sensor',
      'old contracts',
      'the pump',
      'every label',
    ]);
    const reason = this.pick([
      'the law asks for it',
      'parts wear out',
      'customers rely on it',
      'two teams share it',
    ]);
    return `${when}, ${subject} ${verb} ${thing} ${this.number(90) + 2} times, because ${reason}.`;
  }

  paragraph(subject: string): string {
    return Array.from({ length: 2 + this.number(3) }, () => this.sentence(subject)).join(' ');
  }
}

const THINGS = 'boiler pump meter valve kettle lathe crane winch mixer dryer press scale'.split(' ');
const WORKS = 'calibration cleaning ordering storage repair transport'.split(' ');

/** Returns the topic of a page: 72 different ones. */
export function topicAt(index: number): string {
  const thing = THINGS[index % THINGS.length] ?? '';
  const work = WORKS[Math.floor(index / THINGS.length) % WORKS.length] ?? '';
  return `${thing.charAt(0).toUpperCase()}${thing.slice(1)} ${work}`;
}

/** A page before a generator puts its template around it. */
export interface PlainPage {
  readonly path: string;
  readonly title: string;
  /** Content as HTML, without the heading of level 1. */
  readonly body: string;
  /** Elements for the head, such as structured data. */
  readonly head?: string;
  /** The text under the title, if the template has a place for it. */
  readonly lead?: string;
}

/** The site around a page. */
export interface SiteContext {
  readonly prose: Prose;
  readonly pages: readonly PlainPage[];
  readonly index: number;
}

export interface Generator {
  readonly name: string;
  readonly host: string;
  /** Returns the address's path on the site for a page. */
  readonly pathOf: (slug: string) => string;
  readonly render: (page: PlainPage, site: SiteContext) => string;
  /** Texts of the template, which no document should hold. */
  readonly furniture: readonly string[];
}

/** Links to the pages around one, as menus and "related" lists have them. */
export function neighbours({ pages, index }: SiteContext, count: number): readonly PlainPage[] {
  return Array.from({ length: count }, (_, step) => pages[(index + step * 7 + 3) % pages.length]).filter(
    (page) => page !== undefined,
  );
}

export const linkTo = ({ path, title }: PlainPage): string => `<a href="${path}">${title}</a>`;
