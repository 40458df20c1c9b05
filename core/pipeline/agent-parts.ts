import type { ConversationRef } from '../contract/account.ts';
import type { OutboundPart, Reply } from '../contract/reply.ts';
import { AppError } from '../errors.ts';
import type { OpenAccount } from './open-account.ts';
import { replyWindow } from './reply-window.ts';

interface Said {
  /** Of the message. */
  readonly id: string;
  readonly content: string;
  readonly to: ConversationRef;
  readonly heardAt: Date | null;
  readonly now: Date;
}

/**
 * What is sent of a person's reply: where the platform does not take it any more, what the channel has for that. Throws
 * `channel_window_closed` where that is nothing.
 */
export function agentParts(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  { id, content, to, heardAt, now }: Said,
): readonly OutboundPart[] {
  const reply: Reply = {
    id,
    author: 'agent',
    text: content,
    sources: [],
    replyTo: null,
    offers: [],
    handover: true,
  };
  const opening = replyWindow({ connector, account }, { to, heardAt, now });
  const { window } = connector.facets;
  if (window === undefined || opening === null || opening.isOpen) return connector.render(reply, to, account);
  const instead = window.instead(reply, to, account);
  if (instead !== null) return [instead];
  throw new AppError('channel_window_closed', { detail: window.because });
}
