import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import {
  ItemError,
  type KnownItem,
  type ListedItem,
  type ListedPage,
  type ReadResult,
  type SkippedItem,
  SourceError,
  type SourceKind,
} from '../../../core/sources/source-reader.ts';

/** A page of the site that the test makes up. */
export interface ScriptedPage {
  readonly text: string;
  readonly version?: string;
  readonly links?: readonly string[];
  readonly url?: string;
  readonly audience?: readonly string[];
}

/** Replaces reading an item: it may fail or return something else than its page. */
type Trouble = (item: KnownItem) => Promise<ReadResult> | ReadResult;

/** A site in memory, which a test changes between runs. */
export class ScriptedSite {
  readonly pages = new Map<string, ScriptedPage>();
  readonly troubles = new Map<string, Trouble>();
  readonly leftOut: SkippedItem[] = [];
  /** The keys that were read, in order. */
  readonly reads: string[] = [];
  /** The number of lists that were asked for. */
  lists = 0;
  /** True: the list names every page. False: the start page only, and links lead on. */
  isComplete = true;
  /** The list names fewer pages than the site has. */
  isCut = false;
  /** Its versions are only claimed, as those of a website. */
  hasClaimedVersions = false;
  /** Reading an item that the list does not name tells whether it exists. */
  confirmsMissing = false;
  /** A missing page says that it is gone for good. */
  isFinal = false;
  pageSize = 3;
  /** Thrown by the next list. */
  listError: Error | null = null;

  set(key: string, text: string, more: Omit<ScriptedPage, 'text'> = {}): void {
    this.pages.set(key, { text, ...more });
  }

  list(cursor: Json | null): ListedPage {
    this.lists += 1;
    const error = this.listError;
    this.listError = null;
    if (error !== null) throw error;
    const keys = this.isComplete ? [...this.pages.keys()].sort() : ['start'];
    const from = typeof cursor === 'number' ? cursor : 0;
    const to = from + this.pageSize;
    return {
      items: keys.slice(from, to).map((key) => this.#item(key, 0)),
      next: to < keys.length ? to : null,
      leftOut: from === 0 ? this.leftOut : [],
      ...(this.isCut && from === 0 && { isCut: true }),
    };
  }

  async read(item: KnownItem): Promise<ReadResult> {
    this.reads.push(item.key);
    const trouble = this.troubles.get(item.key);
    if (trouble !== undefined) return trouble(item);
    const page = this.pages.get(item.key);
    if (page === undefined) return { kind: 'gone', isFinal: this.isFinal };
    if (item.validators === page.text) return { kind: 'unchanged' };
    return {
      kind: 'content',
      bytes: Buffer.from(page.text),
      contentType: 'text/markdown',
      title: `Title of ${item.key}`,
      ...(page.audience !== undefined && { audience: page.audience }),
      validators: page.text,
      differs: item.validators !== null,
      found: (page.links ?? []).map((key) => this.#item(key, (item.depth ?? 0) + 1)),
    };
  }

  #item(key: string, depth: number): ListedItem {
    const { version, url } = this.pages.get(key) ?? {};
    return { key, depth, ...(version !== undefined && { version }), ...(url !== undefined && { url }) };
  }
}

const settingsSchema = z.object({
  site: z.string().default('main').meta({ description: 'The name of the site' }),
});
const credentialsSchema = z.object({
  token: z.string().optional().meta({ description: 'The token of the tool', format: 'password' }),
});

/** A kind that reads the sites of the test by their names. `allowed` refuses every other token. */
export function scriptedKind(
  sites: ReadonlyMap<string, ScriptedSite>,
  allowed?: string,
): SourceKind<z.output<typeof settingsSchema>, z.output<typeof credentialsSchema>> {
  return {
    kind: 'scripted',
    settings: settingsSchema,
    credentials: credentialsSchema,
    open({ settings, credentials }) {
      const site = sites.get(settings.site);
      return {
        isComplete: site?.isComplete ?? true,
        hasClaimedVersions: site?.hasClaimedVersions ?? false,
        confirmsMissing: site?.confirmsMissing ?? false,
        async list(cursor) {
          if (site === undefined) throw new SourceError('source_missing', 'There is no such site.');
          if (allowed !== undefined && credentials.token !== allowed) {
            throw new SourceError('source_refused', `The token ${credentials.token} is not valid.`);
          }
          return site.list(cursor);
        },
        async read(item) {
          if (site === undefined) throw new ItemError('source_missing', 'There is no such site.');
          return site.read(item);
        },
      };
    },
  };
}
