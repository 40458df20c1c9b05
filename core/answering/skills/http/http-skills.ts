import type { Kysely, Selectable, Transaction } from 'kysely';
import { auditWorkspace } from '../../../audit/audit-log.ts';
import { AppError } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import type { Page, PageRequest } from '../../../base/pagination.ts';
import { type Actor, operatorActor } from '../../../contract/actor.ts';
import type { JsonSchema, Skill, SkillMoment } from '../../../contract/skill.ts';
import { type Rotated, type Rotation, rotateSigningSecret } from '../../../secrets/secret-rotation.ts';
import { keysetPage } from '../../../storage/keyset-page.ts';
import { type Deletion, deleteRow, restoreRow } from '../../../storage/restorable.ts';
import { violatesConstraint } from '../../../storage/sql-errors.ts';
import type { HttpSkillTable, Tables } from '../../../storage/tables/tables.ts';
import { newSigningSecret } from '../../../webhooks/sign-webhook.ts';
import { builtInSkillNames } from '../built-in-skills.ts';
import { isCallableAddress } from './call-skill.ts';
import { type HttpSkillRecord, toCallableSkill, toHttpSkillRecord } from './http-skill-record.ts';
import { requireParameters } from './parameters.ts';
import { type HttpSkillResult, httpSkill, runHttpSkill, type SkillDependencies } from './run-http-skill.ts';

interface Dependencies extends SkillDependencies {
  readonly database: Kysely<Tables>;
}

export interface NewHttpSkill {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly url: string;
  readonly timeoutMs: number;
  readonly runsFor: HttpSkillRecord['runsFor'];
  readonly enabled: boolean;
}

/** Undefined fields stay unchanged. */
export type HttpSkillChange = {
  readonly [Field in Exclude<keyof NewHttpSkill, 'name'>]?: NewHttpSkill[Field] | undefined;
};

/** The workspace whose skills are changed, and who changes them. */
interface SkillChanger {
  readonly workspaceId: string;
  readonly actor: Actor;
}

interface SkillTarget extends SkillChanger {
  readonly id: string;
}

interface Trial {
  readonly given: unknown;
  /** Null tests as a visitor without a verified identity. */
  readonly userId: string | null;
}

const MAX_SKILLS = 20;

/** The HTTP skills that operators add to a workspace. */
export class HttpSkills {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a skill and returns its signing secret, which is not readable later. Throws `invalid_name`,
   * `invalid_parameters`, `invalid_url`, `skill_name_taken`, `too_many_skills` and `workspace_not_found`.
   */
  async create(
    workspaceId: string,
    skill: NewHttpSkill,
    actor = operatorActor,
  ): Promise<{ skill: HttpSkillRecord; secret: string }> {
    return this.#dependencies.database
      .transaction()
      .execute((transaction) => this.createWithin(transaction, { workspaceId, actor }, skill));
  }

  /** The same within a transaction. */
  async createWithin(
    transaction: Transaction<Tables>,
    { workspaceId, actor }: SkillChanger,
    skill: NewHttpSkill,
  ): Promise<{ skill: HttpSkillRecord; secret: string }> {
    const { clock, secretBox } = this.#dependencies;
    await this.requireNew(transaction, workspaceId, skill);
    const secret = newSigningSecret();
    const id = newId('skill');
    const at = clock.now();
    const details = { id, name: skill.name };
    await auditWorkspace(transaction, { workspaceId, actor, at, action: 'skill_created', details });
    const row = await transaction
      .insertInto('http_skill')
      .values({
        id,
        workspace_id: workspaceId,
        name: skill.name,
        description: skill.description,
        parameters: JSON.stringify(skill.parameters),
        url: skill.url,
        secret_encrypted: secretBox.seal(secret, { table: 'http_skill', column: 'secret_encrypted', id }),
        timeout_ms: skill.timeoutMs,
        runs_for: skill.runsFor,
        enabled: skill.enabled,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { skill: toHttpSkillRecord(row), secret };
  }

  /** Throws what `create` does for a skill that cannot be created. */
  async requireNew(
    transaction: Transaction<Tables>,
    workspaceId: string,
    skill: NewHttpSkill,
  ): Promise<void> {
    requireSkillName(skill.name);
    this.requireFields(skill);
    const names = await lockNames(transaction, workspaceId);
    if (names.includes(skill.name)) throw new AppError('skill_name_taken');
    if (names.length >= MAX_SKILLS) throw new AppError('too_many_skills');
  }

  /** Lists skills, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<HttpSkillRecord>> {
    const query = this.#dependencies.database
      .selectFrom('http_skill')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('restorable_until', 'is', null);
    const order = { list: `skills ${workspaceId}`, latest: 'created_at' } as const;
    const { items, nextCursor } = await keysetPage(query, order, page);
    return { items: items.map(toHttpSkillRecord), nextCursor };
  }

  /** Throws `skill_not_found`. */
  async get(workspaceId: string, id: string): Promise<HttpSkillRecord> {
    return toHttpSkillRecord(await this.#find(workspaceId, id));
  }

  /** Changes at least one field. Throws `skill_not_found`, `invalid_parameters` and `invalid_url`. */
  async change(
    workspaceId: string,
    id: string,
    change: HttpSkillChange,
    actor = operatorActor,
  ): Promise<HttpSkillRecord> {
    return this.#dependencies.database
      .transaction()
      .execute((transaction) => this.changeWithin(transaction, { workspaceId, actor, id }, change));
  }

  /** The same within a transaction. */
  async changeWithin(
    transaction: Transaction<Tables>,
    { workspaceId, actor, id }: SkillTarget,
    change: HttpSkillChange,
  ): Promise<HttpSkillRecord> {
    this.requireFields(change);
    const { description, parameters, url, timeoutMs, runsFor, enabled } = change;
    const set = {
      ...(description !== undefined && { description }),
      ...(parameters !== undefined && { parameters: JSON.stringify(parameters) }),
      ...(url !== undefined && { url }),
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
      ...(runsFor !== undefined && { runs_for: runsFor }),
      ...(enabled !== undefined && { enabled }),
    };
    const changed = await transaction
      .updateTable('http_skill')
      .set(set)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('restorable_until', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (changed === undefined) throw new AppError('skill_not_found');
    const details = { id, name: changed.name, fields: Object.keys(set) };
    const entry = { workspaceId, actor, at: this.#dependencies.clock.now() };
    await auditWorkspace(transaction, { ...entry, action: 'skill_changed', details });
    return toHttpSkillRecord(changed);
  }

  /** Creates a new secret. Calls are signed with both until the grace period ends. Throws `skill_not_found`. */
  async rotateSecret(workspaceId: string, id: string, { graceSeconds, actor }: Rotation): Promise<Rotated> {
    const { database, clock, secretBox } = this.#dependencies;
    const rotated = await rotateSigningSecret({
      database,
      secretBox,
      table: 'http_skill',
      workspaceId,
      id,
      secret: newSigningSecret(),
      graceSeconds,
      actor,
      now: clock.now(),
    });
    if (rotated === null) throw new AppError('skill_not_found');
    return rotated;
  }

  /** Throws `skill_not_found`. */
  async delete(
    workspaceId: string,
    id: string,
    { actor = operatorActor, restorableMs = 0 }: Deletion = {},
  ): Promise<void> {
    await this.#dependencies.database
      .transaction()
      .execute((transaction) => this.deleteWithin(transaction, { workspaceId, actor, id }, restorableMs));
  }

  /** The same within a transaction. */
  async deleteWithin(
    transaction: Transaction<Tables>,
    { workspaceId, actor, id }: SkillTarget,
    restorableMs: number,
  ): Promise<void> {
    const at = this.#dependencies.clock.now();
    const name = await deleteRow(transaction, { table: 'http_skill', workspaceId, id, at }, restorableMs);
    if (name === null) throw new AppError('skill_not_found');
    const details = { id, name };
    await auditWorkspace(transaction, { workspaceId, actor, at, action: 'skill_deleted', details });
  }

  /**
   * Takes back a deletion, with the secret. Throws `skill_not_found`, and `skill_name_taken` and `too_many_skills` if new
   * skills took its place.
   */
  async restore(workspaceId: string, id: string, actor = operatorActor): Promise<HttpSkillRecord> {
    return this.#dependencies.database
      .transaction()
      .execute((transaction) => this.restoreWithin(transaction, { workspaceId, actor, id }));
  }

  /** The same within a transaction. */
  async restoreWithin(
    transaction: Transaction<Tables>,
    { workspaceId, actor, id }: SkillTarget,
  ): Promise<HttpSkillRecord> {
    const at = this.#dependencies.clock.now();
    const names = await lockNames(transaction, workspaceId);
    if (names.length >= MAX_SKILLS) throw new AppError('too_many_skills');
    const target = { table: 'http_skill', workspaceId, id, at } as const;
    const isRestored = await restoreRow(transaction, target).catch((error: unknown) => {
      if (!violatesConstraint(error, 'http_skill_workspace_id_name_key')) throw error;
      throw new AppError('skill_name_taken', { cause: error });
    });
    if (!isRestored) throw new AppError('skill_not_found');
    const restored = await findRow(transaction, workspaceId, id);
    const details = { id, name: restored.name };
    await auditWorkspace(transaction, { workspaceId, actor, at, action: 'skill_restored', details });
    return toHttpSkillRecord(restored);
  }

  /** Calls a skill, enabled or not, as for a visitor's question. Throws `skill_not_found`. */
  async tryOut(workspaceId: string, id: string, { given, userId }: Trial): Promise<HttpSkillResult> {
    const skill = toCallableSkill(await this.#find(workspaceId, id));
    const moment = createTrialMoment({ workspaceId, userId, now: this.#dependencies.clock.now() });
    return runHttpSkill(this.#dependencies, skill, { given, moment });
  }

  /** Returns the enabled skills, oldest first. */
  async enabledFor(workspaceId: string): Promise<readonly Skill[]> {
    const rows = await this.#dependencies.database
      .selectFrom('http_skill')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('enabled', '=', true)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => httpSkill(toCallableSkill(row), this.#dependencies));
  }

  /** Throws `invalid_parameters` and `invalid_url`. */
  requireFields({ parameters, url }: HttpSkillChange): void {
    if (parameters !== undefined) requireParameters(parameters);
    if (url !== undefined && !isCallableAddress(url, this.#dependencies.allowPrivate)) {
      throw new AppError('invalid_url', { detail: 'url must be an https URL.' });
    }
  }

  #find(workspaceId: string, id: string): Promise<Selectable<HttpSkillTable>> {
    return findRow(this.#dependencies.database, workspaceId, id);
  }
}

/** Returns all skills of a workspace, enabled or not. */
export async function loadSkills(
  database: Kysely<Tables>,
  workspaceId: string,
): Promise<readonly HttpSkillRecord[]> {
  const rows = await database
    .selectFrom('http_skill')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('restorable_until', 'is', null)
    .execute();
  return rows.map(toHttpSkillRecord);
}

async function findRow(
  database: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<Selectable<HttpSkillTable>> {
  const row = await database
    .selectFrom('http_skill')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('restorable_until', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('skill_not_found');
  return row;
}

/** Returns the names in use. The row lock serialises concurrent creations, so that the limit and the name check hold. */
async function lockNames(transaction: Transaction<Tables>, workspaceId: string): Promise<readonly string[]> {
  const workspace = await transaction
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (workspace === undefined) throw new AppError('workspace_not_found');
  const rows = await transaction
    .selectFrom('http_skill')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('restorable_until', 'is', null)
    .execute();
  return rows.map(({ name }) => name);
}

/** Throws `invalid_name`. Models call skills by name, so names follow the rules for function names. */
function requireSkillName(name: string): void {
  if (builtInSkillNames.some((builtIn) => builtIn === name)) {
    throw new AppError('invalid_name', { detail: `name: ${name} is a built-in skill. Choose another name.` });
  }
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    throw new AppError('invalid_name', {
      detail: 'name must be 1 to 64 lower-case letters, digits and underscores, and start with a letter.',
    });
  }
}

/** Builds the moment of a test call. The receiver recognises it by the channel `test`. */
function createTrialMoment(known: Pick<SkillMoment, 'workspaceId' | 'userId' | 'now'>): SkillMoment {
  return {
    ...known,
    channel: 'test',
    conversationId: null,
    question: '',
    language: 'en',
    earlierQuestions: [],
    customer: { name: null, email: null, phone: null },
    withPerson: false,
    awaited: null,
    signal: new AbortController().signal,
  };
}
