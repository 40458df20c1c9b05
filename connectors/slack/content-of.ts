import type { types } from '@slack/bolt';
import { blocksOf } from './blocks-of.ts';
import { escaped } from './neutral.ts';
import type { Part } from './part.ts';
import type { Refusal } from './refusal.ts';

interface Content {
  readonly text: string;
  readonly blocks?: types.KnownBlock[];
}

/** More than a notification shows. */
const NOTICE_CHARS = 2_500;
/** Slack cuts off what is longer. */
const TEXT_CHARS = 39_000;

/** The ways to say a part, best first: each for when Slack refuses the one before it. */
export function contentsOf(part: Part): readonly Content[] {
  const notice = cut(part.text, NOTICE_CHARS);
  const looks = part.offers.includes('feedback') ? (['rich', 'basic'] as const) : (['basic'] as const);
  return [
    ...looks.map((look) => ({ text: notice, blocks: blocksOf(part, look) })),
    { text: cut(part.text, TEXT_CHARS) },
  ];
}

/** The text itself is not at fault. */
export function refusesBlocks({ code }: Refusal): boolean {
  return [
    'invalid_blocks',
    'invalid_blocks_format',
    'invalid_arguments',
    'msg_blocks_too_long',
    'msg_too_long',
  ].includes(code);
}

function cut(text: string, most: number): string {
  const whole = escaped(text);
  return whole.length <= most ? whole : `${whole.slice(0, most).replace(/&\w*$|[\uD800-\uDBFF]$/, '')}…`;
}
