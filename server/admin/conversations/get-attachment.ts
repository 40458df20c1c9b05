import { z } from 'zod';
import { fetchAttachment } from '../../../core/pipeline/fetch-attachment.ts';
import { findAccountIn } from '../../../core/pipeline/find-account.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

const number = z
  .string()
  .refine((text) => /^\d{1,2}$/.test(text), answerWith('attachment_not_found'))
  .meta({ description: 'From 0, in the order of `attachments` of the message.' });

const schema = {
  ...operatorRoute,
  operationId: 'getAttachment',
  description:
    "Fetches the file from the channel's platform at the time of the request. Only files of widgets and hosted pages are stored in this installation. The file is served as a download, whatever its type.",
  summary: 'Fetch a file that a visitor sent',
  params: workspaceParamsSchema.extend({
    conv_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('conversation_not_found')),
    message_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('attachment_not_found')),
    number,
  }),
  response: {
    200: {
      description: 'The file.',
      content: {
        'application/octet-stream': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) },
      },
    },
    ...errorResponses(
      'workspace_not_found',
      'conversation_not_found',
      'attachment_not_found',
      'attachment_unavailable',
    ),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/messages/{message_id}/attachments/{number}`. */
export function getAttachment(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: findAccountIn(runtime) };
  const path = '/conversations/:conv_id/messages/:message_id/attachments/:number';
  app.get(path, { schema }, async (request, reply) => {
    const { conv_id, message_id, number: index } = request.params;
    const { body, contentType, name } = await fetchAttachment(dependencies, {
      workspaceId: addressedWorkspace.of(request).id,
      conversationId: conv_id,
      messageId: message_id,
      index: Number(index),
    });
    return reply
      .header('content-disposition', dispositionOf(name ?? `attachment-${index}${endingOf(contentType)}`))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('application/octet-stream')
      .send(Buffer.from(body));
  });
}

/** What opens it on the operator's machine tells it by the end of its name. */
function endingOf(contentType: string): string {
  const [, kind] = /^\w+\/([a-z0-9]{2,5})\b/.exec(contentType.toLowerCase()) ?? [];
  return kind === undefined ? '' : `.${kind}`;
}

/** As RFC 6266 has it: letters that are no ASCII are written by their bytes. */
function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`;
}
