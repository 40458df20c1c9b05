import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { RequestValue } from '../request-value.ts';

/** The workspace that a stranger's request is about. */
export const publicWorkspace = new RequestValue<Workspace>('public workspace');
