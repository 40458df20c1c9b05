import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { RequestValue } from '../request-value.ts';

/** The workspace that the path of a request names. */
export const addressedWorkspace = new RequestValue<Workspace>('workspace');
