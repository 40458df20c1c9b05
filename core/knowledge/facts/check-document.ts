import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { detectLanguage } from '../../language/language.ts';
import { termHash, tokenise, tokenKindFor } from '../../language/tokens.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type Candidate, indexedText } from '../passage.ts';
import { type PassageUnit, passageUnits } from '../passage-units.ts';
import { findCandidates } from '../search.ts';
import { decodeSentenceVectors } from '../sentence-vectors.ts';
import { compareUnits } from './compare-facts.ts';
import { toDayNumber, type UnitFacts } from './fact.ts';
import { endFactCheck, holdFactCheck } from './fact-checks.ts';
import { readFacts } from './read-facts.ts';
import { factRules } from './rules.ts';
import { type FoundConflict, type Statement, storeConflicts } from './store-conflicts.ts';

interface CheckDependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Aborted when the process stops: the document is then taken again later. */
  readonly signal?: AbortSignal;
}

/** The result of a check. */
export interface CheckedDocument {
  readonly documentNumber: number;
  /** Sentences, items and rows whose facts were compared. */
  readonly units: number;
  /** Contradictions, and sentences that name their last day. */
  readonly conflicts: number;
}

/**
 * Compares the facts of the document that has waited for the longest time with those of its workspace, and stores what
 * contradicts. Returns null if none waits.
 */
export async function checkNextDocument(dependencies: CheckDependencies): Promise<CheckedDocument | null> {
  const { database } = dependencies;
  const held = await holdFactCheck(database);
  if (held === null) return null;
  const checked = await checkDocument(dependencies, held.documentNumber);
  await endFactCheck(database, held);
  return { documentNumber: held.documentNumber, ...checked };
}

interface DocumentScope {
  readonly number: number;
  readonly workspaceId: string;
  /** Audience tags of a visitor who sees all that some visitor may see beside the document. */
  readonly audience: readonly string[];
}

async function checkDocument(
  dependencies: CheckDependencies,
  documentNumber: number,
): Promise<Omit<CheckedDocument, 'documentNumber'>> {
  const { database, clock, signal } = dependencies;
  const scope = await findScope(database, documentNumber);
  if (scope === null) return { units: 0, conflicts: 0 };
  const today = toDayNumber(clock.now());
  const units = await loadUnits(database, scope);
  const compared = chooseUnits(units);
  const reader = new CandidateFacts();
  const found: FoundConflict[] = units.flatMap(toPast);
  for (const unit of compared) {
    signal?.throwIfAborted();
    if (found.length >= factRules.conflicts) break;
    for (const other of await findNeighbours(database, scope, unit)) {
      if (other.chunkId === unit.statement.chunkId) continue;
      for (const [index, facts] of reader.read(other).entries()) {
        const cosine = other.unitCosines?.[index] ?? null;
        const conflict = compareUnits(unit.facts, facts, { cosine, today });
        if (conflict === null) continue;
        const otherStatement = { documentId: other.documentId, chunkId: other.chunkId, text: facts.text };
        found.push({
          kind: conflict.kind,
          statements: [unit.statement, otherStatement],
          values: conflict.values,
          marks: conflict.texts,
          lastDay: null,
        });
      }
    }
  }
  await storeConflicts(database, {
    ...{ documentNumber, workspaceId: scope.workspaceId, at: clock.now() },
    ...{ found, statements: units.map(({ statement }) => statement) },
  });
  return { units: compared.length, conflicts: found.length };
}

async function findScope(database: Kysely<Tables>, documentNumber: number): Promise<DocumentScope | null> {
  const row = await database
    .selectFrom('document')
    .innerJoin('scope', 'scope.id', 'document.scope_id')
    .select(['document.number', 'document.workspace_id', 'scope.audience'])
    .where('document.number', '=', documentNumber)
    .where('document.status', '<>', 'deleted')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { number, workspace_id: workspaceId, audience } = row;
  if (audience.length > 0) return { number, workspaceId, audience };
  // A document for everybody may be seen beside any other.
  const { rows } = await sql<{ tag: string }>`
    select distinct unnest(audience) as tag from scope where workspace_id = ${workspaceId}
  `.execute(database);
  return { number, workspaceId, audience: rows.map(({ tag }) => tag) };
}

interface ComparedUnit {
  readonly statement: Statement;
  readonly facts: UnitFacts;
  /** Hashes of its words, by which passages are found. */
  readonly terms: readonly number[];
  /** Null in a language without vectors. */
  readonly vector: Float32Array | null;
}

async function loadUnits(
  database: Kysely<Tables>,
  { number }: DocumentScope,
): Promise<readonly ComparedUnit[]> {
  const chunks = await database
    .selectFrom('chunk')
    .innerJoin('document', (join) =>
      join
        .onRef('document.number', '=', 'chunk.document_number')
        .onRef('document.revision', '=', 'chunk.revision'),
    )
    .leftJoin('sentence_vector', 'sentence_vector.chunk_id', 'chunk.id')
    .select(['chunk.id', 'chunk.title', 'chunk.headings', 'chunk.body', 'document.id as documentId'])
    .select(sql<string | null>`encode(sentence_vector.vectors, 'base64')`.as('vectors'))
    .where('chunk.document_number', '=', number)
    .orderBy('chunk.ordinal')
    .limit(factRules.passages)
    .execute();
  return chunks.flatMap(({ id, documentId, vectors, ...passage }) => {
    const units = passageUnits(passage.body);
    const facts = readFacts(passage, units);
    const kind = tokenKindFor(detectLanguage(indexedText(passage.title, passage.headings, passage.body)));
    const unpacked = vectors === null ? [] : unpackVectors(vectors, units.length);
    return units.flatMap((unit: PassageUnit, index) => {
      const read = facts[index];
      if (read === undefined) return [];
      const statement = { documentId, chunkId: String(id), text: unit.text };
      const terms = [...new Set(tokenise(unit.text, kind).map(termHash))];
      return [{ statement, facts: read, terms, vector: unpacked[index] ?? null }];
    });
  });
}

/** Returns the vectors of a passage's units, of unit length; none if they do not fit their number. */
function unpackVectors(base64: string, count: number): readonly Float32Array[] {
  const packed = decodeSentenceVectors(base64);
  if (count === 0 || packed.length === 0 || packed.length % count !== 0) return [];
  const length = packed.length / count;
  return Array.from({ length: count }, (_, index) => {
    const vector = Float32Array.from(packed.subarray(index * length, (index + 1) * length));
    const norm = Math.hypot(...vector);
    return norm === 0 ? vector : vector.map((value) => value / norm);
  });
}

/** Values are compared before what is only so or not: a long document has more than is compared. */
function chooseUnits(units: readonly ComparedUnit[]): readonly ComparedUnit[] {
  const telling = units.filter(({ facts }) => facts.facts.length > 0);
  const hasValue = ({ facts }: ComparedUnit) => facts.facts.some(({ value }) => value.kind !== 'yes-no');
  const sorted = [...telling.filter(hasValue), ...telling.filter((unit) => !hasValue(unit))];
  return sorted.slice(0, factRules.units);
}

/** Returns the passages nearest to a unit by its words and its vector together, of documents that a visitor sees with it. */
async function findNeighbours(
  database: Kysely<Tables>,
  { workspaceId, audience }: DocumentScope,
  { terms, vector }: ComparedUnit,
): Promise<readonly Candidate[]> {
  if (terms.length === 0 && vector === null) return [];
  const { passages } = await findCandidates(database, {
    ...{ workspaceId, audience, documentIds: null, terms },
    vector: vector === null ? null : { values: vector, weight: factRules.vectorWeight, modelId: 0 },
  });
  return passages;
}

/** Reads the facts of each passage once. */
class CandidateFacts {
  readonly #read = new Map<string, readonly UnitFacts[]>();

  read({ chunkId, title, headings, body }: Candidate): readonly UnitFacts[] {
    const known = this.#read.get(chunkId);
    if (known !== undefined) return known;
    const facts = readFacts({ title: title ?? '', headings, body }, passageUnits(body));
    this.#read.set(chunkId, facts);
    return facts;
  }
}

/** A unit that names its last day is out of date from the next one on: it is stored at once and listed then. */
function toPast({ statement, facts: { lastDay } }: ComparedUnit): readonly FoundConflict[] {
  if (lastDay === null) return [];
  const mark = new Date(lastDay * 24 * 3_600_000).toISOString().slice(0, 10);
  return [{ kind: 'past', statements: [statement], values: [mark], marks: [''], lastDay }];
}
