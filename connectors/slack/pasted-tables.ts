import { z } from 'zod';
import type { SlackMessage } from './event-schema.ts';

/** A cell is plain, or rich: then its words lie somewhere below it. */
const table = z.object({ type: z.literal('table'), rows: z.array(z.array(z.unknown())) });
const plain = z.object({ text: z.union([z.string(), z.number()]) });
const numeric = z.object({ value: z.number() });
const nested = z.object({ elements: z.array(z.unknown()) });

/** Tables that were pasted beside the words of a message, a line a row: Slack does not put them into its text. */
export function pastedTables({ attachments }: SlackMessage): readonly string[] {
  const blocks = (attachments ?? []).flatMap((attachment) => attachment.blocks ?? []);
  return blocks.flatMap((block) => {
    const { data } = table.safeParse(block);
    return data === undefined
      ? []
      : [data.rows.map((row) => row.map((cell) => wordsOf(cell, 0)).join(' | ')).join('\n')];
  });
}

const DEEPEST = 8;

function wordsOf(value: unknown, depth: number): string {
  const own = plain.safeParse(value).data?.text ?? numeric.safeParse(value).data?.value;
  if (own !== undefined) return String(own);
  const inside = nested.safeParse(value).data?.elements ?? [];
  return depth === DEEPEST ? '' : inside.map((element) => wordsOf(element, depth + 1)).join('');
}
