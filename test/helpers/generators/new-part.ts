import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** A place in a file that lists what was generated, and the line to add there. */
export interface Registration {
  readonly file: string;
  /** The line before which `line` is added. */
  readonly before: RegExp;
  readonly line: string;
}

/** The names of the new part, in the forms that the texts of the example use. */
export interface Names {
  /** The name as in `tell_today`. */
  readonly snake: string;
  /** The name as in `tellToday`. */
  readonly camel: string;
  /** The name as in `tell-today`. */
  readonly kebab: string;
  /** The start of the names of classes, as in `TellToday`. */
  readonly pascal: string;
  /** The name as in `Tell today`. */
  readonly title: string;
}

/** Names are 2 to 30 small letters, digits and single hyphens. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;

/** Returns the forms of a name, or the reason in one line why it is none. */
export function parseName(name: string): Names | string {
  if (!NAME.test(name) || name.length < 2 || name.length > 30)
    return `A name has 2 to 30 small letters, digits and hyphens between them, not ${name}.`;
  const words = name.split('-');
  const [first = '', ...others] = words;
  return {
    snake: words.join('_'),
    camel: first + others.map(capitalise).join(''),
    kebab: name,
    pascal: words.map(capitalise).join(''),
    title: [capitalise(first), ...others].join(' '),
  };
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Files below a root that a generator writes. */
export class WrittenFiles {
  readonly #root: string;
  readonly #paths = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  get paths(): readonly string[] {
    return [...this.#paths].sort();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    writeFileSync(join(this.#root, path), text);
    this.#paths.add(path);
  }

  register({ file, before, line }: Registration): void {
    const text = readFileSync(join(this.#root, file), 'utf8');
    const isWhole = before.source.startsWith('^');
    this.write(
      file,
      text.replace(before, (found) => `${line}${isWhole ? '\n' : ''}${found}`),
    );
  }
}
