import { z } from 'zod';

const jsonSchema = z.record(z.string(), z.unknown());

const bodySchema = z.record(z.string(), z.object({ schema: jsonSchema }));

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: jsonSchema,
});

const responseSchema = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: bodySchema.default({}),
});

const referenceSchema = z.object({ $ref: z.string() });

const operationSchema = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  'x-permission': z.string().optional(),
  'x-proof': z.string().optional(),
  'x-scope': z.string().optional(),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ content: bodySchema }).optional(),
  responses: z.record(z.string(), z.union([referenceSchema, responseSchema])),
});

const apiSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), jsonSchema),
    responses: z.record(z.string(), responseSchema),
  }),
});

const codesSchema = z.object({
  allOf: z.tuple([
    z.unknown(),
    z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) }),
  ]),
});

export type ApiOperation = ReturnType<typeof readApi>['operations'][number];

/** Returns the operations of an OpenAPI description, each response with the error codes that it names. */
export function readApi(description: unknown) {
  const { paths, components } = apiSchema.parse(description);
  const resolved = (answer: z.output<typeof referenceSchema> | z.output<typeof responseSchema>) =>
    '$ref' in answer
      ? responseSchema.parse(components.responses[answer.$ref.replace('#/components/responses/', '')])
      : answer;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, told]) => {
          const answer = resolved(told);
          return [status, { ...answer, codes: codesOf(answer) }];
        }),
      ),
    })),
  );
  return { operations, schemas: components.schemas };
}

function codesOf({ content }: z.output<typeof responseSchema>): string[] {
  const found = codesSchema.safeParse(content['application/json']?.schema);
  return found.data?.allOf[1].properties.code.enum ?? [];
}
