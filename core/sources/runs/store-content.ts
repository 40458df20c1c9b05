import { contentHash, normaliseAudience } from '../../knowledge/documents/document-revision.ts';
import { itemKey, type NewDocument } from '../../knowledge/documents/documents.ts';
import { DEFAULT_LOADING_LIMITS } from '../../knowledge/loaders/loader.ts';
import { measureText, type TextMeasure } from '../holds/measure-text.ts';
import { dropChange, withholdChange } from '../holds/withheld-changes.ts';
import { excludedReason } from '../preview/preview.ts';
import { sourceActor } from '../source-documents.ts';
import { ItemError, type ReadContent } from '../source-reader.ts';
import { type ItemRow, type OpenRun, settle, storing, versionAfter } from './settle-item.ts';

const { maxFileBytes } = DEFAULT_LOADING_LIMITS;

/** Adds a document at once. One that replaces another is kept back until the run is judged. Throws an ItemError. */
export async function storeContent(open: OpenRun, row: ItemRow, content: ReadContent): Promise<void> {
  const { found = [] } = content;
  const url = content.url ?? row.url ?? undefined;
  if (!open.isWanted(url ?? row.key)) {
    return storing(settle(open, row, { state: 'skipped', code: 'excluded', reason: excludedReason, found }));
  }
  if (content.bytes.byteLength > maxFileBytes) throw tooLarge;
  await storing(addDocument(open, row, content));
}

const tooLarge = new ItemError(
  'too_large',
  `It is larger than ${Math.floor(maxFileBytes / 2 ** 20)} MB. Split it into smaller pages, or exclude it.`,
);

async function addDocument(open: OpenRun, row: ItemRow, content: ReadContent): Promise<void> {
  const { source, documents, held } = open;
  const wanted: NewDocument = {
    ...{ workspaceId: source.workspace_id, actor: sourceActor, origin: 'source' },
    item: { sourceId: source.id, key: row.key },
    bytes: content.bytes,
    title: toTitle(content.title ?? row.title),
    url: toAddress(content.url ?? row.url),
    contentType: content.contentType || undefined,
    fileName: content.fileName,
    audience: toAudience(content.audience) ?? source.audience,
  };
  const measure = measureText(content.bytes, { contentType: content.contentType, key: row.key });
  const own = await findDocument(open, row.key);
  const mover = own === undefined ? await findMover(open, row) : undefined;
  const before = own ?? mover?.document;
  const isSame = own !== undefined && own.content_hash === contentHash(wanted) && own.status !== 'failed';
  const audience = normaliseAudience(wanted.audience);
  // A document that has never answered is replaced at once. A new audience applies at once, because a narrower one
  // must not wait. The takeover of a document always waits for the end of the run.
  const isAnswering = before !== undefined && before.revision > 0 && isEqual(before.audience, audience);
  if (before !== undefined && !isSame && (isAnswering || mover !== undefined)) {
    const change = { wanted, content, measure, before, takesFrom: mover?.key ?? null };
    return settleWithheld(open, row, change);
  }
  const document = await documents.add(wanted);
  const outcome = row.document_id === null ? 'added' : isSame ? 'unchanged' : 'changed';
  await settle(open, row, {
    ...{
      state: 'current',
      outcome,
      documentId: document.id,
      found: content.found ?? [],
      ...partsOf(content),
    },
    ...{ validators: content.validators ?? null, measure },
    title: document.titleGiven ? document.title : null,
    work: (transaction) => dropChange(transaction, { source_id: held.row.source_id, key: row.key }),
  });
}

type KnownDocument = NonNullable<Awaited<ReturnType<typeof findDocument>>>;

function findDocument({ database, source }: OpenRun, key: string) {
  return database
    .selectFrom('document')
    .select(['status', 'revision', 'content_hash', 'audience', 'byte_count'])
    .where('workspace_id', '=', source.workspace_id)
    .where('source_key', '=', itemKey({ sourceId: source.id, key }))
    .executeTakeFirst();
}

/**
 * Returns the item that moved here and has a document. This item takes the document over, and the document keeps its
 * id.
 */
async function findMover(open: OpenRun, { key, source_id }: ItemRow) {
  const item = await open.database
    .selectFrom('source_item')
    .select(['key', 'size'])
    .where('source_id', '=', source_id)
    .where('moved_to', '=', key)
    .where('document_id', 'is not', null)
    .where('state', '=', 'skipped')
    .where('code', '=', 'moved')
    .orderBy('key')
    .limit(1)
    .executeTakeFirst();
  const document = item === undefined ? undefined : await findDocument(open, item.key);
  return item === undefined || document === undefined ? undefined : { ...item, document };
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag, at) => tag === other[at]);
}

interface Replacement {
  readonly wanted: NewDocument;
  readonly content: ReadContent;
  readonly measure: TextMeasure;
  readonly before: KnownDocument;
  readonly takesFrom: string | null;
}

/**
 * Stores new content until the whole run is found plausible. The item keeps no version, so that a run that is not
 * published loses nothing: the next one reads it again.
 */
async function settleWithheld(open: OpenRun, row: ItemRow, change: Replacement): Promise<void> {
  const { wanted, content, measure, before, takesFrom } = change;
  const { reader, source } = open;
  const isFirst = reader.hasClaimedVersions === true && source.lastmod_distrusted_at === null;
  const isClaimWrong =
    isFirst && content.differs === true && row.version !== null && row.version === row.listed_version;
  // A text that was not measured, or that another item's replaces, is compared by its bytes.
  const isMeasured = row.size !== null && takesFrom === null;
  const size = isMeasured ? measure.size : wanted.bytes.byteLength;
  await settle(open, row, {
    ...{ state: 'current', outcome: 'changed', found: content.found ?? [], isWithheld: true },
    ...partsOf(content),
    async work(transaction) {
      await withholdChange(transaction, open.held.row, {
        ...{ key: row.key, bytes: wanted.bytes, title: wanted.title, url: wanted.url, takesFrom },
        ...{ contentType: wanted.contentType, fileName: wanted.fileName, audience: wanted.audience ?? [] },
        ...{ version: versionAfter(open, row), validators: content.validators ?? null },
        ...{ sizeBefore: isMeasured ? row.size : before.byte_count, size, fingerprint: measure.fingerprint },
      });
      if (!isClaimWrong) return;
      await transaction
        .updateTable('source')
        .set({ lastmod_distrusted_at: open.now(), lastmod_sample: row.url ?? row.key })
        .where('id', '=', source.id)
        .where('lastmod_distrusted_at', 'is', null)
        .execute();
    },
  });
}

function partsOf({ parts, partsLeftOut: leftOut = [] }: ReadContent) {
  return parts === undefined ? {} : { parts: { items: parts, leftOut } };
}

function toTitle(title: string | null): string | undefined {
  const short = Array.from(title?.trim() ?? '')
    .slice(0, 500)
    .join('');
  return short === '' ? undefined : short;
}

/** Readers are shown web addresses only, of a length that can be stored. */
function toAddress(address: string | null): string | undefined {
  const url = URL.parse(address ?? '');
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  return isWeb && Buffer.byteLength(url.href) <= 2_000 ? url.href : undefined;
}

/** Excess tags are dropped and long ones cut, which restricts the audience and never widens it. */
function toAudience(tags: readonly string[] | undefined): readonly string[] | undefined {
  return tags?.map((tag) => tag.slice(0, 64)).slice(0, 50);
}
