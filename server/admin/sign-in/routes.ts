import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { defaultRoleSchema, type SignInProvider } from '../../../core/members/sign-in-providers.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { dashboardBase } from '../../dashboard/links.ts';
import { beginAtProvider, callbackAddress, signInLink } from '../../dashboard/provider-sign-in.ts';
import { needs } from '../../plugins/operator-access.ts';
import { boundedString, nameSchema } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { memberScope, operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);

const fields = {
  name: nameSchema.meta({ description: 'On the button of the sign-in page.' }),
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: boundedString({ min: 1, max: 500 }, z.string().trim()),
  domains: z.array(domainSchema).min(1).max(50).meta({
    description:
      'Domains of the email addresses that may sign in. The provider must have verified the address.',
  }),
  trusts_addresses: z.boolean().meta({
    description:
      'Accepts addresses without `email_verified`, which Entra never sends. Only for a provider whose accounts are made by your company. Addresses with `email_verified` other than `true` are refused in any case.',
  }),
  default_role: defaultRoleSchema.meta({ description: 'Of somebody who signs in without an invitation.' }),
  enabled: z.boolean(),
  required: z.boolean().meta({
    description:
      'Members must sign in this way. Owners keep their passkey, or their password with a second factor.',
  }),
};

const providerSchema = z
  .object({
    ...fields,
    tested_at: z.iso.datetime().nullable().meta({
      description:
        'When somebody last signed in for a test. Null: never with this issuer, client and secret.',
    }),
    tested_as: z.string().nullable(),
    test_fault: z
      .string()
      .nullable()
      .meta({ description: 'Why the last test failed, in the words of the provider.' }),
  })
  .meta({ id: 'SignInProvider' });

const signInSchema = z.object({
  provider: providerSchema.nullable(),
  callback_url: z.string().meta({ description: 'The redirect address to register at the provider.' }),
  sign_in_url: z.string().meta({ description: 'A link that starts the sign-in at the provider.' }),
});

/** Registers the routes for the identity provider of a workspace's owner. */
export function signInRuleRoutes(app: TypedApp, runtime: Runtime): void {
  getSignIn(app, runtime);
  putSignIn(app, runtime);
  deleteSignIn(app, runtime);
  postTest(app, runtime);
}

const getSchema = {
  ...operatorRoute,
  summary: 'Read the sign-in at a provider',
  operationId: 'getSignIn',
  description:
    "Returns the identity provider (OpenID Connect) of the workspace's owner, without its secret, and the addresses that belong to it.",
  params: workspaceParamsSchema,
  response: { 200: signInSchema, ...errorResponses('workspace_not_found') },
};

function getSignIn(app: TypedApp, { signIn, config }: Runtime): void {
  app.get('/sign-in', { schema: getSchema, ...needs('people:write') }, async (request) => {
    const { owner } = requestWorkspace.get(request);
    return presentSignIn(await signIn.providers.find(owner), { base: dashboardBase(config, request), owner });
  });
}

const putSchema = {
  ...operatorRoute,
  summary: 'Set up the sign-in at a provider',
  operationId: 'saveSignIn',
  description:
    'Another issuer, client or secret must be tested again, and is not required until then. Disabling the provider ends the sessions that began there.',
  params: workspaceParamsSchema,
  body: z.object({
    ...fields,
    client_secret: boundedString({ min: 1, max: 2_000 })
      .optional()
      .meta({ description: 'Stored encrypted and never returned. Leave it out to keep the stored one.' }),
    trusts_addresses: fields.trusts_addresses.default(false),
    enabled: fields.enabled.default(true),
    required: fields.required.default(false),
  }),
  response: {
    200: signInSchema,
    ...errorResponses('workspace_not_found', 'sign_in_untested', 'no_emergency_exit'),
  },
};

function putSignIn(app: TypedApp, { signIn, config }: Runtime): void {
  app.put('/sign-in', { schema: putSchema, ...needs('people:write', { fresh: true }) }, async (request) => {
    const { body } = request;
    const scope = memberScope(request);
    const saved = await signIn.providers.save(scope, {
      name: body.name,
      issuer: readIssuer(body.issuer, config),
      clientId: body.client_id,
      clientSecret: body.client_secret,
      domains: [...new Set(body.domains)],
      trustsAddresses: body.trusts_addresses,
      defaultRole: body.default_role,
      isEnabled: body.enabled,
      isRequired: body.required,
    });
    return presentSignIn(saved, { base: dashboardBase(config, request), owner: scope.ownerId });
  });
}

const discoveryPath = '/.well-known/openid-configuration';

/** Also takes the address of the provider's description. Throws `invalid_issuer`, also without https. */
function readIssuer(address: string, { ALLOW_PRIVATE_SIGN_IN }: Runtime['config']): string {
  const issuer = address.endsWith(discoveryPath) ? address.slice(0, -discoveryPath.length) : address;
  const { protocol, pathname, search, hash } = new URL(issuer);
  const isSafe = protocol === 'https:' || ALLOW_PRIVATE_SIGN_IN;
  if (isSafe && !pathname.includes('/.well-known/') && search + hash === '') return issuer;
  throw new AppError('invalid_issuer');
}

const deleteSchema = {
  ...operatorRoute,
  summary: 'Remove the sign-in at a provider',
  operationId: 'removeSignIn',
  description: 'Ends the sessions that began there. The members stay, and can get a link for a password.',
  params: workspaceParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'sign_in_provider_not_found') },
};

function deleteSignIn(app: TypedApp, { signIn }: Runtime): void {
  app.delete(
    '/sign-in',
    { schema: deleteSchema, ...needs('people:write', { fresh: true }) },
    async (request, reply) => {
      await signIn.providers.remove(memberScope(request));
      return reply.code(204).send();
    },
  );
}

const testSchema = {
  ...operatorRoute,
  summary: 'Test the sign-in at a provider',
  operationId: 'testSignIn',
  description:
    'Returns an address of the provider. Open it in the browser that got this answer, and sign in: the way back ends on the settings, where `tested_at` or `test_fault` has the result. It starts no session.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({ url: z.string() }),
    ...errorResponses('workspace_not_found', 'sign_in_provider_not_found', 'provider_sign_in_failed'),
  },
};

function postTest(app: TypedApp, runtime: Runtime): void {
  const options = { schema: testSchema, ...needs('people:write') };
  app.post('/sign-in/test', options, async (request, reply) => {
    const { ownerId, workspaceId, actor } = memberScope(request);
    const returnTo = `/dashboard/w/${workspaceId}/settings/sign-in`;
    return { url: await beginAtProvider(runtime, { request, reply }, { ownerId, returnTo, tester: actor }) };
  });
}

interface Addresses {
  readonly base: string;
  readonly owner: string;
}

function presentSignIn(
  provider: SignInProvider | null,
  { base, owner }: Addresses,
): z.output<typeof signInSchema> {
  return {
    provider:
      provider === null
        ? null
        : {
            name: provider.name,
            issuer: provider.issuer,
            client_id: provider.clientId,
            domains: [...provider.domains],
            trusts_addresses: provider.trustsAddresses,
            default_role: provider.defaultRole,
            enabled: provider.isEnabled,
            required: provider.isRequired,
            tested_at: provider.testedAt?.toISOString() ?? null,
            tested_as: provider.testedAs,
            test_fault: provider.testFault,
          },
    callback_url: callbackAddress(base, owner),
    sign_in_url: signInLink(base, owner),
  };
}
