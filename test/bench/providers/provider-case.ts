import { z } from 'zod';

/** A server of the product with models of its own, so that no case knows how providers behaved in another. */
export const providerCaseSchema = z.object({
  /** A fault. */
  name: z.string(),
  /** Whether a second model, which answers, follows the first one. */
  hasSpare: z.boolean(),
  /** The address of the call: `/v1/query` or `/v1/query/stream`. */
  path: z.string(),
  address: z.string(),
});

export const servedSchema = z.object({ key: z.string(), cases: z.array(providerCaseSchema) });

export type ProviderCase = z.output<typeof providerCaseSchema>;
