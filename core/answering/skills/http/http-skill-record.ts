import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { JsonSchema } from '../../../contract/skill.ts';
import type { HttpSkillTable } from '../../../storage/tables/tables.ts';

/** The audience of a skill: everyone, or only visitors with a verified identity. */
export const SKILL_AUDIENCES = ['everyone', 'verified'] as const;

const columnsSchema = z.object({
  parameters: z.record(z.string(), z.unknown()),
  runs_for: z.enum(SKILL_AUDIENCES),
});

/** A skill on a server of the workspace's owner, without its secret. */
export interface HttpSkillRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly url: string;
  readonly timeoutMs: number;
  readonly runsFor: (typeof SKILL_AUDIENCES)[number];
  readonly enabled: boolean;
  readonly createdAt: Date;
}

/** A skill record with the encrypted secrets that a call needs. */
export interface CallableSkill extends HttpSkillRecord {
  readonly secretEncrypted: string;
  readonly previousSecretEncrypted: string | null;
  readonly previousSecretUntil: Date | null;
}

export function toHttpSkillRecord(row: Selectable<HttpSkillTable>): HttpSkillRecord {
  const { parameters, runs_for } = columnsSchema.parse(row);
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    description: row.description,
    parameters,
    url: row.url,
    timeoutMs: row.timeout_ms,
    runsFor: runs_for,
    enabled: row.enabled,
    createdAt: row.created_at,
  };
}

export function toCallableSkill(row: Selectable<HttpSkillTable>): CallableSkill {
  return {
    ...toHttpSkillRecord(row),
    secretEncrypted: row.secret_encrypted,
    previousSecretEncrypted: row.previous_secret_encrypted,
    previousSecretUntil: row.previous_secret_until,
  };
}
