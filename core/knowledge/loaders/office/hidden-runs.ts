/** Tags of runs, of the properties of a paragraph, which may hide its mark only, and of what hides a run. */
const TAG = /<(?:(\/?)w:(r|pPr)(?=[\s>/])|w:(vanish|rStyle)\b)([^<>]{0,500})>/g;
const STYLE = /<w:style\s([^<>]{0,1000})>/g;

interface Run {
  readonly start: number;
  isHidden: boolean;
}

/** Returns the names of character styles that hide their text. */
export function findHidingStyles(styles: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { 0: tag, 1: attributes = '', index } of styles.matchAll(STYLE)) {
    const end = styles.indexOf('</w:style>', index);
    const body = end === -1 ? '' : styles.slice(index + tag.length, end);
    const name = /w:styleId="([^"]{1,300})"/.exec(attributes)?.[1];
    const isCharacter = attributes.includes('w:type="character"');
    if (name !== undefined && isCharacter && isHiding(/<w:vanish\b([^<>]{0,500})>/.exec(body)?.[1]))
      found.add(name);
  }
  return found;
}

/** Removes the runs of a Word document that readers do not see. */
export function withoutHiddenRuns(xml: string, hidingStyles: ReadonlySet<string>): string {
  if (!xml.includes('<w:vanish') && hidingStyles.size === 0) return xml;
  const runs = new RunStack(hidingStyles);
  const kept: string[] = [];
  let from = 0;
  for (const match of xml.matchAll(TAG)) {
    const start = runs.read(match);
    if (start === null || start < from) continue;
    kept.push(xml.slice(from, start));
    from = match.index + match[0].length;
  }
  return kept.join('') + xml.slice(from);
}

/** The runs that are open, one in another: text boxes stand in runs. */
class RunStack {
  readonly #hidingStyles: ReadonlySet<string>;
  readonly #runs: Run[] = [];
  #marks = 0;

  constructor(hidingStyles: ReadonlySet<string>) {
    this.#hidingStyles = hidingStyles;
  }

  /** Returns where a hidden run began that this tag ends, or null. */
  read({ 1: slash, 2: element, 3: property, 4: rest = '', index }: RegExpExecArray): number | null {
    if (property !== undefined) this.#readProperty(property, rest);
    else if (rest.endsWith('/')) return null;
    else if (element === 'pPr') this.#marks += slash === '/' ? -1 : 1;
    else if (slash === '') this.#runs.push({ start: index, isHidden: false });
    else return this.#end();
    return null;
  }

  #readProperty(property: string, rest: string): void {
    const run = this.#runs.at(-1);
    if (run === undefined || this.#marks > 0) return;
    const style = /w:val="([^"]{0,300})"/.exec(rest)?.[1] ?? '';
    run.isHidden ||= property === 'vanish' ? isHiding(rest) : this.#hidingStyles.has(style);
  }

  #end(): number | null {
    const run = this.#runs.pop();
    const isInHidden = this.#runs.some(({ isHidden }) => isHidden);
    return run?.isHidden === true && !isInHidden ? run.start : null;
  }
}

function isHiding(attributes: string | undefined): boolean {
  return attributes !== undefined && !/w:val="(?:0|false|off)"/.test(attributes);
}
