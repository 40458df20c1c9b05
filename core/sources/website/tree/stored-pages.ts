import type { KnownItem, LedgerBlock, PageCutter, ReadResult, SourceTools } from '../../source-reader.ts';
import { cutStoredPage } from '../page.ts';
import type { TemplateLearner } from '../template/learn-template.ts';
import { digestOf, parseValidators } from '../validators.ts';

interface StoredPagesOptions {
  readonly learner: TemplateLearner;
  readonly tools: Pick<SourceTools, 'runInThread'>;
  readonly isStart: (item: KnownItem) => boolean;
  /** Names how pages are read. */
  readonly reading: string;
}

/** Cuts stored pages of a website by what is known of it now. */
export class StoredPages implements PageCutter {
  readonly #options: StoredPagesOptions;

  constructor(options: StoredPagesOptions) {
    this.#options = options;
  }

  versionFor(key: string): Promise<string> {
    return this.#options.learner.versionFor(key);
  }

  async cut(item: KnownItem, tree: Uint8Array): Promise<ReadResult> {
    const { learner, tools, reading } = this.#options;
    const { key, title = null } = item;
    const isStart = this.#options.isStart(item);
    const known = await learner.cutForStored(key, isStart);
    const { cut } = await cutStoredPage(tree, tools, known);
    const { copy } = await learner.judgeStored(cut, { key, title, isStart });
    if (copy !== null) return isCopyOf(copy);
    const before = parseValidators(item.validators, reading);
    const { etag, modified, links } = before ?? { etag: null, modified: null, links: digestOf('') };
    const bytes = Buffer.from(cut.content);
    const digest = digestOf(bytes, links);
    if (before?.digest === digest) return { kind: 'unchanged' };
    return {
      ...{ kind: 'content', url: key, bytes, contentType: HTML, ...(title !== null && { title }) },
      validators: { reading, etag, modified, links, digest },
    };
  }

  async ledger(item: KnownItem, tree: Uint8Array): Promise<readonly LedgerBlock[]> {
    const { learner, tools } = this.#options;
    const known = await learner.cutForStored(item.key, this.#options.isStart(item));
    const { ledger } = await cutStoredPage(tree, tools, { ...known, hasLedger: true });
    const counts = await learner.countPages(ledger.flatMap(({ template }) => template ?? []));
    return ledger.map(({ template, ...block }) => ({
      ...block,
      pages: (template === null ? undefined : counts.get(template)) ?? null,
    }));
  }
}

export const HTML = 'text/html; charset=utf-8';

/** A page whose text is that of another one is no document of its own. */
export function isCopyOf(
  { key, url }: Pick<KnownItem, 'key' | 'url'>,
  found: Extract<ReadResult, { readonly kind: 'skipped' }>['found'] = [],
): ReadResult {
  const reason = `It has the same text as ${url ?? key}, which is the document of both.`;
  return { kind: 'skipped', code: 'copy', reason, found };
}
