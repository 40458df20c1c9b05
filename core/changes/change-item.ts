import { z } from 'zod';
import { SKILL_AUDIENCES } from '../answering/skills/http/http-skill-record.ts';
import { curatedActions, curatedLimits, toSourceKey } from '../knowledge/curated/curated-answer.ts';
import { keptAnswerSchema } from '../knowledge/curated/kept-answer.ts';
import { keptDocumentSchema } from '../knowledge/documents/kept-document.ts';
import { workspaceSettingsChangeSchema } from '../workspaces/workspace-settings.ts';
import type { DiffLine } from './diff-text.ts';

const title = z.string().trim().min(1).max(500);
const content = z.string().trim().min(1).max(500_000).meta({ description: 'Markdown.' });
const documentId = z.string().min(1).max(100);
const audience = z.array(z.string().min(1).max(64)).max(50);
const wording = z.string().trim().min(1).max(curatedLimits.questionCharacters);

/** A curated answer as a whole; without an id, a new one. */
const curatedFields = {
  answer_id: documentId.nullable(),
  question: wording,
  phrasings: z.array(wording).max(curatedLimits.phrasings),
  action: z.enum(curatedActions),
  answer: z.string().max(curatedLimits.answerCharacters).nullable(),
  audience,
  valid_until: z.iso.datetime({ offset: true }).nullable(),
};

/** The fields of an HTTP skill besides its name, as the routes of skills have them. */
export const stagedSkillSchema = z.object({
  description: z.string().trim().min(1).max(1_000),
  parameters: z.record(z.string(), z.unknown()),
  url: z.string().max(2_000),
  timeout_seconds: z.int().min(1).max(20),
  runs_for: z.enum(SKILL_AUDIENCES),
  enabled: z.boolean(),
});
export type StagedSkill = z.output<typeof stagedSkillSchema>;

/** The settings that a trial can try, because they decide what is answered and how. */
export const stagedSettingsSchema = workspaceSettingsChangeSchema.pick({
  strictness: true,
  model: true,
  answer_from: true,
  maybe_from: true,
  fallback_message: true,
  fallback_messages: true,
  mask_secrets: true,
  skills: true,
});

/**
 * The kinds of changes. A new kind needs an entry here, its base and its kept state below, and a branch in stage-item.ts,
 * published-sets.ts and item-views.ts: the compiler names each place.
 */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('document_new'),
    title,
    content,
    url: z.url().max(2_000).optional(),
    audience: audience.default([]),
  }),
  z.object({
    kind: z.literal('document_content'),
    document_id: documentId,
    content,
    title: title.optional(),
  }),
  z.object({ kind: z.literal('document_removed'), document_id: documentId }),
  z.object({ kind: z.literal('settings'), settings: stagedSettingsSchema }),
  z.object({ kind: z.literal('curated_written'), ...curatedFields }),
  z.object({ kind: z.literal('curated_removed'), answer_id: documentId }),
  z.object({ kind: z.literal('skill_new'), name: z.string().max(64), ...stagedSkillSchema.shape }),
  z.object({
    kind: z.literal('skill_changed'),
    skill_id: documentId,
    fields: stagedSkillSchema.partial(),
  }),
  z.object({ kind: z.literal('skill_removed'), skill_id: documentId }),
]);
export type Change = z.output<typeof changeSchema>;
export type CuratedChange = Extract<Change, { kind: 'curated_written' | 'curated_removed' }>;
export type SkillChange = Extract<Change, { kind: 'skill_new' | 'skill_changed' | 'skill_removed' }>;

const documentState = z.object({
  title: z.string(),
  /** The revision that is wanted, and when the document was changed last: one of them differs after any change. */
  revision: z.int(),
  changed_at: z.string(),
});
export type DocumentState = z.output<typeof documentState>;

const settingValues = z.record(z.string(), z.unknown());

const curatedState = z.object({ question: z.string(), changed_at: z.string() });

/** The fields of a skill that a change names, as `StagedSkill` has them. */
const skillState = z.object({ id: z.string(), name: z.string(), fields: settingValues });

/** The changed thing as it was when the change was staged. Publishing finds it unchanged, or refuses. */
export const baseSchema = z.object({
  document: documentState.optional(),
  settings: settingValues.optional(),
  curated: curatedState.optional(),
  skill: skillState.optional(),
});
export type Base = z.output<typeof baseSchema>;

/** The values that an undo puts back, and those that it must find unchanged (`published`). */
export const keptSchema = z.object({
  document: keptDocumentSchema.optional(),
  settings: settingValues.optional(),
  curated: keptAnswerSchema.optional(),
  /** Of a removed one, only its id counts: the row itself is kept. */
  skill: skillState.optional(),
  published: baseSchema,
});
export type Kept = z.output<typeof keptSchema>;

export interface ChangeItem {
  readonly id: string;
  readonly change: Change;
  readonly base: Base;
  /** The document or curated answer that it changes; of a new one, since it is published. Null: of neither kind. */
  readonly documentId: string | null;
  /** Its document in the hidden workspace. */
  readonly stagedDocumentId: string | null;
  readonly kept: Kept | null;
}

/** A change as a person sees it. */
export interface ChangeView {
  /** The title of the document, the question or the name of the skill; empty for settings. */
  readonly name: string;
  readonly lines: readonly DiffLine[];
  readonly settings: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
}

/** Two changes with the same key are of the same thing: the later one replaces the earlier one. Null: of nothing that exists. */
export function changeKey(change: Change): string | null {
  switch (change.kind) {
    case 'document_new':
      return change.url === undefined ? null : `url ${change.url}`;
    case 'document_content':
    case 'document_removed':
      return `document ${change.document_id}`;
    case 'settings':
      return 'settings';
    case 'curated_written':
      return change.answer_id === null
        ? toSourceKey(change.question, change.audience)
        : `document ${change.answer_id}`;
    case 'curated_removed':
      return `document ${change.answer_id}`;
    case 'skill_new':
      return `skill name ${change.name}`;
    case 'skill_changed':
    case 'skill_removed':
      return `skill ${change.skill_id}`;
  }
}

/** Returns the id of the document or curated answer that a change names; null if it names none. */
export function namedDocument(change: Change): string | null {
  if ('document_id' in change) return change.document_id;
  return 'answer_id' in change ? change.answer_id : null;
}

/** Whether a trial needs other documents than those of the workspace. */
export function changesDocuments({ change }: Pick<ChangeItem, 'change'>): boolean {
  return change.kind !== 'settings' && !isSkillChange(change);
}

export function isSkillChange(change: Change): change is SkillChange {
  return change.kind === 'skill_new' || change.kind === 'skill_changed' || change.kind === 'skill_removed';
}
