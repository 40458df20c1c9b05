import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment, serialize } from 'parse5';

interface Article {
  /** The names of what the record is in, outermost first: category, section. */
  readonly path?: readonly (string | null | undefined)[];
  /** Fields with their labels. */
  readonly facts?: readonly (readonly [label: string, value: string | null | undefined])[];
  readonly body: string;
  /** Texts that follow the body, each under a heading. */
  readonly sections?: readonly { readonly heading: string; readonly body: string }[];
}

/** Returns a record as HTML: where it stands, its fields, its text, and what follows it. Empty if it has no text. */
export function renderArticle({ path = [], facts = [], body, sections = [] }: Article): string {
  const texts = [body, ...sections.map((section) => section.body)];
  const stated = facts.filter(([, value]) => (value ?? '').trim() !== '');
  if (texts.every((text) => text.trim() === '') && stated.length === 0) return '';
  const root = defaultTreeAdapter.createDocumentFragment();
  const names = path.map((name) => name?.trim() ?? '').filter((name) => name !== '');
  if (names.length > 0) append(root, 'p', `Section: ${names.join(' › ')}`);
  for (const [label, value] of stated) append(root, 'p', `${label}: ${value?.trim()}`);
  appendHtml(root, body);
  for (const section of sections) {
    if (section.body.trim() === '') continue;
    append(root, 'h2', section.heading);
    appendHtml(root, section.body);
  }
  return serialize(root);
}

type Parent = DefaultTreeAdapterTypes.DocumentFragment;

function append(root: Parent, tag: string, text: string): void {
  const element = defaultTreeAdapter.createElement(tag, html.NS.HTML, []);
  defaultTreeAdapter.insertText(element, text);
  defaultTreeAdapter.appendChild(root, element);
}

function appendHtml(root: Parent, text: string): void {
  for (const node of [...parseFragment(text).childNodes]) {
    defaultTreeAdapter.detachNode(node);
    defaultTreeAdapter.appendChild(root, node);
  }
}
