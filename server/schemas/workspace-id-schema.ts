import { z } from 'zod';
import { isWorkspaceId } from '../../core/ids.ts';
import { answerWith } from './answer-with.ts';

export const workspaceIdSchema = z.string().refine(isWorkspaceId, answerWith('invalid_workspace_id'));
