import { SaxesParser } from 'saxes';
import { DocumentError } from '../../documents/document-error.ts';
import { decodeText } from '../decode-text.ts';

/** An element by its name without prefix. Attributes keep the prefix that the file wrote (`r:id`, `text:name`). */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

const MAX_DEPTH = 600;
/** A tree of this many elements fills some 400 MB. */
const MAX_ELEMENTS = 2_000_000;

/**
 * Reads XML in pieces, without building a tree. Entities that a file declares are never expanded: a declaration is
 * refused. Throws `corrupt_file` (named by `what`) or `nested_too_deeply`.
 */
export function readXml(bytes: Uint8Array, what: string, events: XmlEvents): void {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  let depth = 0;
  parser.on('error', (cause) => {
    throw new DocumentError('corrupt_file', what, { cause });
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('<!ENTITY')) throw new DocumentError('corrupt_file', what);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new DocumentError('nested_too_deeply');
    events.open(localName(name), attributes);
  });
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    events.close(localName(name));
  });
  parser.write(decodeText(bytes, null)).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads XML into a tree and returns its root. Throws as `readXml` does, and `out_of_memory` for too many elements. */
export function parseXml(bytes: Uint8Array, what: string): XmlElement {
  const root: (XmlElement | string)[] = [];
  const open = [root];
  let elements = 0;
  readXml(bytes, what, {
    open(name, attributes) {
      elements += 1;
      if (elements > MAX_ELEMENTS) throw new DocumentError('out_of_memory');
      const children: (XmlElement | string)[] = [];
      open.at(-1)?.push({ name, attributes, children });
      open.push(children);
    },
    text(text) {
      open.at(-1)?.push(text);
    },
    close() {
      open.pop();
    },
  });
  const found = root.find((node) => typeof node !== 'string');
  if (found === undefined) throw new DocumentError('corrupt_file', what);
  return found;
}

/** Returns the child elements, or those of one name. */
export function elementsOf(parent: XmlElement | null, name?: string): readonly XmlElement[] {
  return (parent?.children ?? []).filter(
    (node): node is XmlElement => typeof node !== 'string' && (name === undefined || node.name === name),
  );
}

/** Returns the first element along a path of names below an element, or null. */
export function findChild(parent: XmlElement | null, ...path: readonly string[]): XmlElement | null {
  let found = parent;
  for (const name of path) found = elementsOf(found, name)[0] ?? null;
  return found;
}

/** Returns all elements of a name below an element, in document order. It does not look inside the found ones. */
export function findAll(parent: XmlElement | null, name: string): readonly XmlElement[] {
  return elementsOf(parent).flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

/** Returns all text under an element. */
export function textOf(element: XmlElement | null): string {
  return (element?.children ?? []).map((node) => (typeof node === 'string' ? node : textOf(node))).join('');
}
