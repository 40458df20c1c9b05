import { z } from 'zod';
import {
  type FoundServer,
  mailProblems,
  mailProviders,
  serverSources,
} from '../../../core/contract/mail/mailbox-setup.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { channelFieldsSchema } from './schema.ts';

/** Registers the routes that prepare a mailbox: they find its servers and try its logins, and store nothing. */
export function mailboxRoutes(app: TypedApp, runtime: Runtime): void {
  postServers(app, runtime);
  postCheck(app, runtime);
}

const serverSchema = z
  .object({
    host: z.string(),
    port: z.int(),
    encryption: z.enum(['tls', 'starttls']).meta({
      description:
        'tls: from the first byte. starttls: begun by a command, on the ports 25, 143, 587 and 2525.',
    }),
    user: z.string().meta({ description: 'The user name of the login.' }),
    found_by: z.enum(serverSources).meta({
      description:
        'choice: the provider that the request names. provider: the domain belongs to a known provider. mx: its mail servers (MX) are those of a known one. srv: DNS names the server (RFC 6186). autoconfig: the configuration file of the domain names it. guess: a usual name that answered.',
    }),
  })
  .meta({ id: 'MailServer' });

const serversSchema = z.object({
  provider: z.enum(mailProviders).nullable().meta({ description: 'Null: another provider, or unknown.' }),
  incoming: serverSchema.nullable().meta({ description: 'IMAP. Null: none was found.' }),
  outgoing: serverSchema.nullable().meta({ description: 'SMTP. Null: none was found.' }),
});

const addressSchema = z.email().max(254);

const postServersSchema = {
  ...operatorRoute,
  summary: 'Find the mail servers of an address',
  operationId: 'findMailServers',
  description:
    'Looks for the servers of a mailbox: known providers, also by the MX of the domain, then SRV records, the configuration file of the domain, and usual names that answer. It takes up to 14 seconds, signs in nowhere and stores nothing.',
  params: workspaceParamsSchema,
  body: z
    .object({
      address: addressSchema,
      provider: z.enum(mailProviders).optional().meta({
        description: 'Takes the servers of this provider, for a domain whose MX is a filter in front of it.',
      }),
    })
    .meta({ examples: [{ address: 'help@shop.example' }] }),
  response: {
    200: serversSchema,
    ...errorResponses('workspace_not_found', 'unknown_channel', 'channel_verification_failed'),
  },
};

function postServers(app: TypedApp, { mailboxSetup }: Runtime): void {
  app.post('/mailbox-servers', { schema: postServersSchema, ...needs('channels:write') }, async (request) => {
    const { id } = requestWorkspace.get(request);
    const { address, provider = null } = request.body;
    const found = await mailboxSetup.findServers(id, { address, provider });
    return {
      provider: found.provider,
      incoming: presentServer(found.incoming),
      outgoing: presentServer(found.outgoing),
    };
  });
}

function presentServer(server: FoundServer | null): z.output<typeof serverSchema> | null {
  if (server === null) return null;
  const { foundBy, ...rest } = server;
  return { ...rest, found_by: foundBy };
}

const checkSchema = z
  .object({
    server: z.enum(['incoming', 'outgoing']),
    problem: z.enum(mailProblems).nullable().meta({
      description:
        'Why the login failed; null: it succeeded. app_password_needed: the provider refuses the ordinary password. passwords_off: it refuses every password. imap_off: IMAP is switched off for the mailbox. smtp_auth_off: sending with a password is switched off for the mailbox or the tenant. private_host: the host is in a private network. busy: the server may accept it later.',
    }),
    detail: z.string().nullable().meta({ description: 'The words of the server.' }),
    mails: z.int().nonnegative().nullable().meta({ description: 'Mails in the folder. Null: not counted.' }),
    unread: z.int().nonnegative().nullable(),
  })
  .meta({ id: 'MailServerCheck' });

const { credentials, settings } = channelFieldsSchema.shape;

const postCheckSchema = {
  ...operatorRoute,
  summary: 'Try the logins of a mailbox',
  operationId: 'checkMailbox',
  description:
    'Signs in to both servers at once with the fields of a new channel, and returns a result for each. It takes up to 12 seconds. It reads, marks and sends no mail, and stores nothing.',
  params: workspaceParamsSchema,
  body: z.object({ credentials, settings }),
  response: {
    200: z.object({ checks: z.array(checkSchema) }),
    ...errorResponses(
      'workspace_not_found',
      'unknown_channel',
      'invalid_credentials',
      'invalid_settings',
      'channel_verification_failed',
    ),
  },
};

function postCheck(app: TypedApp, { mailboxSetup }: Runtime): void {
  app.post('/mailbox-checks', { schema: postCheckSchema, ...needs('channels:write') }, async (request) => {
    const { id: workspaceId } = requestWorkspace.get(request);
    const checks = await mailboxSetup.check({ workspaceId, ...request.body });
    return { checks: [...checks] };
  });
}
