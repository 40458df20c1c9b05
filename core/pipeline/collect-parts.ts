import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Collected } from '../contract/webhook-intake.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';

/** What a request takes along, and for how long each part of it waited. */
export interface Taken extends Collected {
  readonly waitedMs: readonly number[];
}

const schema = z.object({
  parts: z.array(z.object({ content: storedJson, since: z.coerce.date() })),
  answering: z.boolean(),
  withPerson: z.boolean(),
});

/** Takes what waits under a key: it counts as sent, and nobody else gets it. */
export async function collectParts(
  database: Kysely<Tables>,
  { channelId, lane, key, now }: LaneKey & { readonly key: string; readonly now: Date },
): Promise<Taken> {
  const { rows } = await sql<{ collected: unknown }>`
    select collect_parts(${channelId}, ${lane}, ${key}, ${now}) as collected
  `.execute(database);
  const { parts, answering, withPerson } = schema.parse(rows[0]?.collected);
  return {
    parts: parts.map(({ content }) => ({ content })),
    isAnswering: answering,
    withPerson,
    waitedMs: parts.map(({ since }) => now.getTime() - since.getTime()),
  };
}
