import {
  getAttribute,
  type HtmlNode,
  type HtmlParent,
  isElement,
} from '../../../knowledge/loaders/html/parse-html.ts';

/** Why a part of a page is not in its document. */
export const cutReasons = [
  'menu',
  'header',
  'footer',
  'aside',
  'form',
  'dialog',
  'hidden',
  'control',
  /** A cookie box, and what its name says belongs to the site. */
  'consent',
  'site_part',
  'edit_link',
  /** Outside of what the page marks as its content. */
  'outside',
  /** Recurs on the pages of the site. */
  'template',
  /** A rule of the source. */
  'rule',
] as const;
export type CutReason = (typeof cutReasons)[number];

export interface Cut {
  readonly reason: CutReason;
  /** Of a block of the site: the hash under which its pages were counted. */
  readonly template: string | null;
}

/** Remembers what a page loses and why. */
export class CutNotes {
  readonly #cuts = new Map<HtmlNode, Cut>();
  readonly #restored = new Set<HtmlNode>();
  #content: HtmlParent | null = null;

  note(node: HtmlNode, reason: CutReason, template: string | null = null): void {
    if (!this.#cuts.has(node)) this.#cuts.set(node, { reason, template });
  }

  /** Everything that is not under `content` is outside of it. */
  limitTo(content: HtmlParent): void {
    this.#content = content;
  }

  /** These nodes stay, although a part around them was cut. */
  restore(nodes: readonly HtmlNode[]): void {
    for (const node of nodes) this.#restored.add(node);
  }

  /** Forgets the cuts since `size`, which were taken back. */
  forgetAfter(size: number): void {
    for (const node of [...this.#cuts.keys()].slice(size)) this.#cuts.delete(node);
  }

  get size(): number {
    return this.#cuts.size;
  }

  /** Returns why a block is cut; null if some of it stays. */
  cutOf(nodes: readonly HtmlNode[]): Cut | null {
    if (nodes.some((node) => this.#restored.has(node))) return null;
    const leaves = nodes.flatMap(leavesUnder);
    const cuts = leaves.map((leaf) => this.#cutAround(leaf));
    return cuts.every((cut) => cut !== null) ? (cuts[0] ?? null) : null;
  }

  /** The outermost part that was cut says the reason. */
  #cutAround(leaf: HtmlNode): Cut | null {
    let found: Cut | null = null;
    let isInside = this.#content === null;
    for (let node: HtmlNode | HtmlParent | null = leaf; node !== null; node = parentOf(node)) {
      if (node === this.#content) isInside = true;
      else if (isCuttable(node)) found = this.#cuts.get(node) ?? found;
    }
    return found ?? (isInside ? null : { reason: 'outside', template: null });
  }
}

function isCuttable(node: HtmlNode | HtmlParent): node is HtmlNode {
  return 'parentNode' in node;
}

function parentOf(node: HtmlNode | HtmlParent): HtmlParent | null {
  return 'parentNode' in node ? node.parentNode : null;
}

/** Returns what is read of a node: its texts, and pictures with a text. */
function leavesUnder(node: HtmlNode): readonly HtmlNode[] {
  if ('value' in node) return node.value.trim() === '' ? [] : [node];
  if (!isElement(node)) return [];
  const isPicture = node.tagName === 'img' && (getAttribute(node, 'alt') ?? '') !== '';
  return isPicture ? [node] : node.childNodes.flatMap(leavesUnder);
}
