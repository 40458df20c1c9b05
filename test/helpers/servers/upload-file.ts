import type { FastifyInstance } from 'fastify';
import { sameOrigin } from './sign-in-person.ts';

/** The smallest picture. */
export const pngBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Upload {
  readonly url: string;
  readonly name?: string;
  readonly bytes?: Uint8Array;
  /** The cookie of a person who is signed in; the operator sends a token instead. */
  readonly cookie?: string;
  readonly token?: string;
}

/** Uploads a file as a form. */
export async function uploadFile(
  app: FastifyInstance,
  { url, name = 'plan.png', bytes = pngBytes, cookie, token }: Upload,
) {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const encoded = new Response(form);
  return app.inject({
    method: 'POST',
    url,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie, ...sameOrigin }),
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
}
