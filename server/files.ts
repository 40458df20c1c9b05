import { z } from 'zod';
import { AppError } from '../core/base/errors.ts';
import { findFileByToken, isInlineType } from '../core/channels/outbound/agent-files.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { errorResponses } from './schemas/responses.ts';
import type { TypedApp } from './typed-app.ts';

const getFileSchema = {
  tags: ['Widget'],
  security: [],
  operationId: 'getFile',
  summary: 'Fetch a file that an agent sent',
  description:
    'The link in the `url` of an attachment. Its token is the only credential; the name is not checked. Pictures are shown, other files are downloads.',
  params: z.object({ token: z.string(), name: z.string() }),
  response: {
    200: {
      description: 'The file.',
      content: {
        'application/octet-stream': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) },
      },
    },
    ...errorResponses('attachment_not_found', 'rate_limit_minute'),
  },
};

/**
 * Registers the public links of files that agents sent. Logs name the route, never the address, which contains the token.
 */
export function fileRoutes(app: TypedApp, { database, guesses }: Runtime): void {
  app.get('/:token/:name', { schema: getFileSchema }, async (request, reply) => {
    reply.header('referrer-policy', 'no-referrer');
    const { token } = request.params;
    const file = await guesses.check({ kind: 'file', address: request.ip, credential: token }, async () => {
      const found = await findFileByToken(database.kysely, token);
      if (found === null) throw new AppError('attachment_not_found');
      return found;
    });
    const isInline = isInlineType(file.contentType);
    return reply
      .headers({
        'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', file.name),
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private',
        // Widgets on pages of other sites show the pictures.
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type(
        isInline || file.contentType === 'application/pdf' ? file.contentType : 'application/octet-stream',
      )
      .send(Buffer.from(file.body));
  });
}

/** Formats the header as in RFC 6266, with the name encoded as in RFC 5987. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
