import type { InboxRow } from '../../api/queries/inbox.ts';
import type { Catalogue } from '../../texts/english.ts';
import { kindLook } from '../channels/cards/kind-look.ts';

/** The name of a customer as every place shows it: an anonymous visitor is named by their channel. */
export function customerName(
  { handle, channel }: Pick<InboxRow, 'handle' | 'channel'>,
  texts: Catalogue,
): string {
  return handle ?? texts.inbox.anonymousOn(kindLook(channel, texts).name);
}
