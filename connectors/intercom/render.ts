import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/block.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { replyBlocks } from '../shared/markdown/reply-blocks.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { handoverParts } from './handover-parts.ts';
import { type IntercomAccount, manifest } from './manifest.ts';
import type { Part } from './part.ts';
import { PERSON_UUID, personButton } from './person-button.ts';
import { writeHtml } from './write-html.ts';

/** What the messenger shows of code without breaking its lines. */
const TABLE_COLUMNS = 40;
/** Intercom sends nothing that is empty. */
const NOTHING = '…';

/** The words, then what may be pressed, then what the team is told of a conversation that goes to it. */
export function render(
  reply: Reply,
  _to: ConversationRef,
  account: IntercomAccount,
): readonly OutboundPart[] {
  const blocks = replyBlocks(reply, TABLE_COLUMNS);
  const comments = splitBlocks(blocks, fits).map(commentOf);
  const parts: readonly Part[] = [
    ...(comments.length > 0 ? comments : [nothing]),
    ...buttonsOf(reply, account),
    ...handoverParts(reply, account),
  ];
  return parts.map((content) => ({ content }));
}

const nothing: Part = { kind: 'comment', html: `<p>${NOTHING}</p>`, text: NOTHING };

function commentOf(blocks: readonly Block[]): Part {
  return { kind: 'comment', html: writeHtml(blocks), text: plainText(blocks) };
}

function fits(blocks: readonly Block[]): boolean {
  return plainText(blocks).length <= manifest.limits.textChars;
}

function buttonsOf({ offers, language }: Reply, account: IntercomAccount): readonly Part[] {
  if (!offers.includes('human') || !account.settings.buttons) return [];
  return [{ kind: 'buttons', options: [{ text: personButton(account, language), uuid: PERSON_UUID }] }];
}
