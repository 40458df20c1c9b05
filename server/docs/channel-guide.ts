import { readFile } from 'node:fs/promises';
import type { ListItem, Nodes, Root, RootContent } from 'mdast';
import { parseMarkdown } from './library.ts';
import { plainText } from './markdown-text.ts';

/** A run of text of one style. `href` leads to a page of the platform. */
export interface GuideSpan {
  readonly text: string;
  readonly style: 'plain' | 'strong' | 'code';
  readonly href: string | null;
}

/** A paragraph, or code to copy. */
export type GuideBlock =
  | { readonly kind: 'text'; readonly spans: readonly GuideSpan[] }
  | { readonly kind: 'code'; readonly text: string };

export interface GuideStep {
  /** `before` the channel is added, `add` adds it in a terminal, `after` needs its address. */
  readonly phase: 'before' | 'add' | 'after';
  readonly blocks: readonly GuideBlock[];
  /** The values to paste that the step names in code. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
}

/** How a channel is set up: the section "Set it up" of its page, and the faults that its page knows. */
export interface ChannelGuide {
  readonly steps: readonly GuideStep[];
  readonly notes: readonly GuideBlock[];
  readonly troubles: readonly {
    readonly symptom: readonly GuideSpan[];
    readonly remedy: readonly GuideSpan[];
  }[];
}

const root = new URL('../../', import.meta.url);

/** The guide of a channel that this version does not know. */
export const emptyGuide: ChannelGuide = { steps: [], notes: [], troubles: [] };

/**
 * Reads a guide from its page, the one text for terminal, dashboard and documentation. `page` is a path from the root of
 * the project. `values` are put in where a step names them in code.
 */
export async function loadGuide(
  page: string,
  values: Readonly<Record<string, string>> = {},
): Promise<ChannelGuide> {
  return parseGuide(parseMarkdown(await readFile(new URL(page, root), 'utf8')), values);
}

/** Pure. */
export function parseGuide(page: Root, values: Readonly<Record<string, string>>): ChannelGuide {
  const section = findSection(page, 'Set it up');
  const list = section.find((node) => node.type === 'list' && node.ordered === true);
  const items = list?.type === 'list' ? list.children : [];
  const adding = items.findIndex(isAddStep);
  return {
    steps: items.map((item, position) => ({
      phase: position === adding ? 'add' : adding === -1 || position < adding ? 'before' : 'after',
      blocks: toBlocks(item.children),
      values: Object.entries(values).flatMap(([name, value]) =>
        namesValue(item, name) ? [{ name, value }] : [],
      ),
    })),
    notes: toBlocks(section.filter((node) => node.type === 'paragraph')),
    troubles: findTroubles(page),
  };
}

/** The guide for a terminal: one numbered step after the other, with the values below their step. */
export function printGuide({ steps }: ChannelGuide): string {
  return steps
    .map(({ blocks, values }, position) => {
      const lines = blocks.map((block) =>
        block.kind === 'code' ? indent(block.text) : printSpans(block.spans),
      );
      return [`${position + 1}. ${lines.join('\n\n')}`, ...values.map(({ value }) => value)].join('\n\n');
    })
    .join('\n\n');
}

function printSpans(spans: readonly GuideSpan[]): string {
  return spans
    .map(({ text, style, href }) => {
      if (href !== null) return text === href ? href : `${text} (${href})`;
      return style === 'strong' ? `"${text}"` : text;
    })
    .join('');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ');
}

/** The nodes between a heading and the next one. */
function findSection({ children }: Root, heading: string): readonly RootContent[] {
  const start = children.findIndex((node) => node.type === 'heading' && plainText(node) === heading);
  if (start === -1) return [];
  const end = children.findIndex((node, position) => position > start && node.type === 'heading');
  return children.slice(start + 1, end === -1 ? undefined : end);
}

function findTroubles(page: Root): ChannelGuide['troubles'] {
  const table = findSection(page, 'Common errors').find((node) => node.type === 'table');
  if (table?.type !== 'table') return [];
  return table.children
    .slice(1)
    .flatMap(({ children: [symptom, remedy] }) =>
      symptom === undefined || remedy === undefined
        ? []
        : [{ symptom: toSpans(symptom.children), remedy: toSpans(remedy.children) }],
    );
}

function isAddStep(item: ListItem): boolean {
  return item.children.some((node) => node.type === 'code' && node.value.includes(' channel add '));
}

/** Whether a step names the value in code: `webhook_url`. */
function namesValue(node: Nodes, name: string): boolean {
  if (node.type === 'inlineCode') return node.value === name;
  return 'children' in node && node.children.some((child) => namesValue(child, name));
}

function toBlocks(nodes: readonly RootContent[]): readonly GuideBlock[] {
  return nodes.flatMap((node): readonly GuideBlock[] => {
    if (node.type === 'code') return [{ kind: 'code', text: node.value }];
    if (node.type === 'list') return node.children.flatMap(({ children }) => toBlocks(children));
    if (node.type === 'paragraph') return [{ kind: 'text', spans: toSpans(node.children) }];
    return [];
  });
}

function toSpans(nodes: readonly Nodes[], href: string | null = null): readonly GuideSpan[] {
  return nodes.flatMap((node): readonly GuideSpan[] => {
    if (node.type === 'text') return [{ text: node.value.replaceAll('\n', ' '), style: 'plain', href }];
    if (node.type === 'inlineCode') return [{ text: node.value, style: 'code', href }];
    if (node.type === 'strong') return [{ text: plainText(node), style: 'strong', href }];
    if (node.type === 'link') {
      // Links to other pages of the documentation lead nowhere outside of it.
      return toSpans(node.children, node.url.startsWith('https://') ? node.url : href);
    }
    return [{ text: plainText(node), style: 'plain', href }];
  });
}
