import { errorBodySchema } from './error-body-schema.ts';

/** The answers that any operation may give beside its own. */
export const errorResponses = { '4xx': errorBodySchema, '5xx': errorBodySchema };
