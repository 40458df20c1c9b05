import type { types } from '@slack/bolt';
import { offerTexts } from '../shared/offer-texts.ts';
import { FEEDBACK_ACTION, PERSON_ACTION } from './action-ids.ts';
import type { Part } from './part.ts';
import { lineOf } from './shown-sources.ts';

/** What Slack knows of blocks differs by where it is used: `basic` has only what it always knew, beside Markdown. */
export type Look = 'rich' | 'basic';

export function blocksOf(part: Part, look: Look): types.KnownBlock[] {
  return [{ type: 'markdown', text: part.markdown }, ...closingBlocks(part, look)];
}

/** What stands below an answer: where it is from, and what can be pressed. */
export function closingBlocks({ sources, offers, language }: Part, look: Look): types.KnownBlock[] {
  const wantsFeedback = offers.includes('feedback');
  const buttons = [
    ...(wantsFeedback && look === 'basic' ? [thumb('up', '👍'), thumb('down', '👎')] : []),
    ...(offers.includes('human') ? [button(PERSON_ACTION, offerTexts(language).human, 'human')] : []),
  ];
  return [
    ...(sources.length > 0 ? [sourcesBlock(sources)] : []),
    ...(wantsFeedback && look === 'rich' ? [feedbackBlock(language)] : []),
    ...(buttons.length > 0 ? [{ type: 'actions' as const, elements: buttons }] : []),
  ];
}

function sourcesBlock(sources: Part['sources']): types.ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: sources.map(lineOf).join('\n') }] };
}

function feedbackBlock(language: Part['language']): types.ContextActionsBlock {
  const { good, bad } = offerTexts(language);
  const choice = (value: 'up' | 'down', text: string, label: string) => ({
    text: { type: 'plain_text' as const, text, emoji: true },
    value,
    accessibility_label: label,
  });
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: FEEDBACK_ACTION,
        positive_button: choice('up', '👍', good),
        negative_button: choice('down', '👎', bad),
      },
    ],
  };
}

function thumb(value: 'up' | 'down', sign: string): types.Button {
  return button(`${FEEDBACK_ACTION}:${value}`, sign, value);
}

function button(action_id: string, text: string, value: string): types.Button {
  return { type: 'button', action_id, text: { type: 'plain_text', text, emoji: true }, value };
}
