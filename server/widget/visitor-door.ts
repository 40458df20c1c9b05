import type { FastifyRequest } from 'fastify';
import type { OpenedAccount } from '../../core/channels/opened-account.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { RequestValue } from '../request-value.ts';
import type { Look } from './look.ts';

/** Where a visitor came in: the widget or the page of a workspace. */
export interface VisitorDoor {
  readonly workspace: Workspace;
  readonly account: OpenedAccount;
  readonly look: Look;
  /** The session that the request shows. Throws `missing_auth` and `malformed_auth` where it shows none. */
  readonly sessionOf: (request: FastifyRequest) => string;
}

export const visitorDoor = new RequestValue<VisitorDoor>('door');
