import { type RawBuilder, sql } from 'kysely';
import type { Said } from './say-as-visitor.ts';

/** An SQL value; computing it gives the files of what is said to the conversation that it is said in. */
export function sendingFiles(conversationId: string, { visitor, files = [] }: Said): RawBuilder<boolean> {
  if (files.length === 0) return sql<boolean>`true`;
  const ids = files.map(({ reference }) => reference);
  return sql<boolean>`send_visitor_files(${conversationId}, ${visitor.id}, ${ids})`;
}
