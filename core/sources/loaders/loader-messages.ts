import { z } from 'zod';

const headers = z.array(z.tuple([z.string(), z.string()]));

/** A message from the process of a loader. Bodies are base64. */
export const parentMessage = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('fetch'), id: z.number(), url: z.string(), method: z.string() },
    ...{ headers, body: z.string().nullable() },
  }),
  z.object({ kind: z.literal('document'), text: z.string(), metadata: z.string() }),
  z.object({ kind: z.literal('failure'), reason: z.string() }),
  z.object({ kind: z.literal('end') }),
]);
export type ParentMessage = z.output<typeof parentMessage>;

/** A message to the process of a loader. */
export const childMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    path: z.string(),
    name: z.string().nullable(),
    options: z.array(z.unknown()),
  }),
  z.object({ kind: z.literal('answered'), id: z.number(), status: z.number(), headers, body: z.string() }),
  z.object({ kind: z.literal('refused'), id: z.number(), reason: z.string() }),
]);
export type ChildMessage = z.output<typeof childMessage>;
