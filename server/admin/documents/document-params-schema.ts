import { z } from 'zod';
import { answerWith } from '../../schemas/answer-with.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

/** The path parameters of one document. */
export const documentParamsSchema = workspaceParamsSchema.extend({
  doc_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('document_not_found')),
});
