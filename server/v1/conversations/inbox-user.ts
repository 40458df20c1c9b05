import type { InboxUser } from '../../../core/conversations/inbox-user.ts';
import { admitted } from '../../plugins/admitted.ts';

/** Whoever holds the request's API key: they act under its name. */
export function inboxUser(request: object): InboxUser {
  const { name, workspace } = admitted.of(request).holder;
  return { ownerId: workspace.owner, name };
}
