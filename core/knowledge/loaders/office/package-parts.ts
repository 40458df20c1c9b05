import { posix } from 'node:path';
import { DocumentError } from '../../documents/document-error.ts';
import type { LoadingLimits } from '../loader.ts';
import { parseStatedTitle } from '../metadata.ts';
import { unpackArchive } from '../zip-archive.ts';
import { elementsOf, findAll, parseXml, textOf, type XmlElement } from './read-xml.ts';

interface Relationship {
  /** The last part of the type's URI: `slide`, `worksheet`, `sharedStrings`. */
  readonly type: string;
  /** Path in the archive. */
  readonly target: string;
}

/** The XML parts of a file that is a ZIP archive, by path. Pictures are never unpacked. */
export class PackageParts {
  readonly #parts: ReadonlyMap<string, Uint8Array>;
  /** Begins the sentence of an error: `This Excel workbook`. */
  readonly what: string;

  private constructor(parts: ReadonlyMap<string, Uint8Array>, what: string) {
    this.#parts = parts;
    this.what = what;
  }

  /** Rejects with `expands_too_far`, `encrypted_file` or `corrupt_file`. */
  static async unpack(
    bytes: Uint8Array,
    what: string,
    { maxUnpackedBytes }: Pick<LoadingLimits, 'maxUnpackedBytes'>,
    wanted: (name: string) => boolean = (name) => /\.(?:xml|rels)$/i.test(name),
  ): Promise<PackageParts> {
    return new PackageParts(await unpackArchive(bytes, { wanted, maxBytes: maxUnpackedBytes }), what);
  }

  /** Returns the bytes of a part, or null. */
  find(path: string): Uint8Array | null {
    return this.#parts.get(path) ?? null;
  }

  /** Returns the root of a part, or null if the archive has no such part. Throws `corrupt_file`. */
  parse(path: string): XmlElement | null {
    const bytes = this.find(path);
    return bytes === null ? null : parseXml(bytes, this.what);
  }

  /** Returns the root of a part. Throws `corrupt_file` if it is missing. */
  require(path: string): XmlElement {
    const root = this.parse(path);
    if (root === null) throw new DocumentError('corrupt_file', this.what);
    return root;
  }

  /** Returns what an Office part refers to, by id; for the path `` what the package refers to. */
  relationships(path: string): ReadonlyMap<string, Relationship> {
    const folder = posix.dirname(path);
    const root = this.parse(path === '' ? '_rels/.rels' : `${folder}/_rels/${posix.basename(path)}.rels`);
    const internal = elementsOf(root).filter(({ attributes }) => attributes.TargetMode !== 'External');
    return new Map(
      internal.map(({ attributes: { Id = '', Type = '', Target = '' } }) => [
        Id,
        { type: Type.slice(Type.lastIndexOf('/') + 1), target: resolvePath(folder, Target) },
      ]),
    );
  }

  /** Returns the path of the main part of an Office file. Throws `corrupt_file`. */
  mainPart(): string {
    const main = [...this.relationships('').values()].find(({ type }) => type === 'officeDocument');
    if (main === undefined) throw new DocumentError('corrupt_file', this.what);
    return main.target;
  }

  /** Returns the title in the properties of an Office or OpenDocument file, or null. */
  propertyTitle(path = 'docProps/core.xml'): string | null {
    const [title] = findAll(this.parse(path), 'title');
    return title === undefined ? null : parseStatedTitle(textOf(title));
  }
}

/** Returns the path in the archive of a reference from a folder. A leading slash is the archive itself. */
export function resolvePath(folder: string, reference: string): string {
  const path = reference.replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path.slice(1) : posix.join(folder, path);
}
