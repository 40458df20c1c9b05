import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import manifest from '../../package.json' with { type: 'json' };

const description = `Parley answers questions from the documents of a workspace, with sources, and says so when they hold no answer.

**Keys.** Everything under \`/v1\` takes \`Authorization: Bearer <API_KEY>\`, everything under \`/admin/v1\` the operator's token.

**Errors.** Every answer that is not 2xx is an \`Error\`: branch on its \`code\`. A path that is not described here answers
\`404 route_not_found\`, a method that is not described here \`405 method_not_allowed\` with the header \`Allow\`.

**Retries.** After a 4xx other than 429, never with the same request. After a 429, wait as long as \`Retry-After\` says.
After a 5xx, with exponential backoff and jitter, at most 5 times. Send an \`Idempotency-Key\` where one is taken, and a
retry is answered with the first answer.

**Tolerance.** Unknown fields of a request are ignored, and answers may gain fields: ignore those that you do not know.`;

/** What the description says of the API as a whole; `publicUrl` is where the world reaches it, when that is known. */
export function apiInformation(
  publicUrl: string | undefined,
): NonNullable<FastifyDynamicSwaggerOptions['openapi']> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: manifest.version,
      summary: manifest.description,
      description,
      contact: { name: 'The operator of this installation' },
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: publicUrl ?? '/', description: 'This server.' }],
    tags: [
      { name: 'Query', description: 'Questions, and their answers with sources.' },
      { name: 'Conversations', description: 'What was said, by whom, and what became of it.' },
      {
        name: 'Public agent',
        description: 'What any agent may ask a workspace whose owner allows it, without a key.',
      },
      {
        name: 'Widget',
        description:
          'What the widget and the hosted page call, and what a chat of your own may call: from the browser, with the public token of a workspace and the session of a visitor.',
      },
      {
        name: 'Operator',
        description: 'Workspaces, keys, documents and channels, with the operator’s token.',
      },
      { name: 'Health', description: 'How this server is.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a workspace.' },
        visitorSession: { type: 'http', scheme: 'bearer', description: 'The session of a visitor.' },
        adminToken: { type: 'http', scheme: 'bearer', description: "The operator's token." },
      },
    },
  };
}
