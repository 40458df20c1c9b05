import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { type DomainProof, domainFaultSchema } from '../../../core/members/identity/domain-proofs.ts';
import { defaultRoleSchema, type SignInProvider } from '../../../core/members/sign-in-providers.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { beginAtProvider, callbackAddress, signInLink } from '../../dashboard/provider-sign-in.ts';
import { needs } from '../../plugins/operator-access.ts';
import { ownAddress } from '../../plugins/own-address.ts';
import { boundedString, providerNameSchema } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, ownerAuthority, workspaceParamsSchema } from '../operator-route.ts';

const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);

const fields = {
  name: providerNameSchema.meta({ description: 'On the button of the sign-in page.' }),
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: boundedString({ min: 1, max: 500 }, z.string().trim()),
  domains: z.array(domainSchema).min(1).max(50).meta({
    description:
      'Domains of the email addresses that may sign in. Each must be proven by a DNS record, see `domain_proofs`, and the provider must have verified the address.',
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

const domainProofSchema = z
  .object({
    domain: z.string(),
    state: z.enum(['pending', 'verified']).meta({
      description:
        'The provider is offered to addresses at verified domains only, and nobody new joins from others.',
    }),
    record_name: z.string().meta({ description: 'The name of the TXT record to add to the domain.' }),
    record_value: z.string(),
    claimed_at: z.iso.datetime(),
    claimed_by: z.string(),
    verified_at: z.iso.datetime().nullable(),
    verified_by: z.string().nullable(),
    checked_at: z.iso.datetime().nullable(),
    fault: domainFaultSchema.nullable().meta({
      description:
        'Why the last check found no proof: no record, one with another value, or no answer of the DNS servers.',
    }),
  })
  .meta({ id: 'DomainProof' });

const signInSchema = z.object({
  provider: providerSchema.nullable(),
  domain_proofs: z.array(domainProofSchema).meta({ description: 'One for each domain of the provider.' }),
  callback_url: z.string().meta({ description: 'The redirect address to register at the provider.' }),
  sign_in_url: z.string().meta({ description: 'A link that starts the sign-in at the provider.' }),
});

/** Registers the routes for the identity provider of a workspace's owner. */
export function signInRuleRoutes(app: TypedApp, runtime: Runtime): void {
  getSignIn(app, runtime);
  putSignIn(app, runtime);
  deleteSignIn(app, runtime);
  postTest(app, runtime);
  postDomainCheck(app, runtime);
}

const getSchema = {
  ...operatorRoute,
  summary: 'Read the sign-in at a provider',
  operationId: 'getSignIn',
  description:
    "Returns the identity provider (OpenID Connect) of the workspace's owner, without its secret, and the addresses that belong to it.",
  params: workspaceParamsSchema,
  response: { 200: signInSchema, ...errorResponses('workspace_not_found', 'no_public_address') },
};

function getSignIn(app: TypedApp, { signIn, config }: Runtime): void {
  app.get('/sign-in', { schema: getSchema, ...needs('people:write') }, async (request) => {
    const { ownerId: owner } = ownerAuthority(request, 'people:write').scope;
    const base = ownAddress(config, request);
    return presentSignIn({ ...(await loadSignIn(signIn, owner)), base, owner });
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
    ...errorResponses(
      'workspace_not_found',
      'sign_in_untested',
      'no_emergency_exit',
      'credentials_required',
      'domain_taken',
      'domain_not_claimable',
      'no_public_address',
    ),
  },
};

function putSignIn(app: TypedApp, { signIn, config }: Runtime): void {
  app.put('/sign-in', { schema: putSchema, ...needs('people:write', { fresh: true }) }, async (request) => {
    const { body } = request;
    const authority = ownerAuthority(request, 'people:write');
    const { ownerId: owner } = authority.scope;
    const base = ownAddress(config, request);
    await signIn.providers.save(authority, {
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
    return presentSignIn({ ...(await loadSignIn(signIn, owner)), base, owner });
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

function deleteSignIn(app: TypedApp, { signIn }: WorkspaceServices): void {
  app.delete(
    '/sign-in',
    { schema: deleteSchema, ...needs('people:write', { fresh: true }) },
    async (request, reply) => {
      await signIn.providers.remove(ownerAuthority(request, 'people:write'));
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
    ...errorResponses(
      'workspace_not_found',
      'sign_in_provider_not_found',
      'provider_sign_in_failed',
      'no_public_address',
    ),
  },
};

function postTest(app: TypedApp, runtime: Runtime): void {
  const options = { schema: testSchema, ...needs('people:write') };
  app.post('/sign-in/test', options, async (request, reply) => {
    const { scope, actor } = ownerAuthority(request, 'people:write');
    const { ownerId, workspaceId } = scope;
    const returnTo = `/dashboard/w/${workspaceId}/settings/sign-in`;
    return { url: await beginAtProvider(runtime, { request, reply }, { ownerId, returnTo, tester: actor }) };
  });
}

const domainCheckSchema = {
  ...operatorRoute,
  summary: 'Check the proof of a domain',
  operationId: 'checkSignInDomain',
  description:
    'Looks for the TXT record of a domain of the provider. `fault` says why there is no proof. DNS servers may take an hour to show a new record. A verified domain stays verified until it is removed from the provider.',
  params: workspaceParamsSchema.extend({
    domain: z
      .string()
      .refine((text) => domainSchema.safeParse(text).success, withErrorCode('domain_not_found')),
  }),
  response: {
    200: signInSchema,
    ...errorResponses(
      'workspace_not_found',
      'domain_not_found',
      'domain_taken',
      'domain_not_claimable',
      'no_public_address',
      'rate_limit_minute',
    ),
  },
};

function postDomainCheck(app: TypedApp, { signIn, config, publicRate }: Runtime): void {
  const options = { schema: domainCheckSchema, ...needs('people:write') };
  app.post('/sign-in/domains/:domain/check', options, async (request) => {
    const authority = ownerAuthority(request, 'people:write');
    const { ownerId: owner } = authority.scope;
    await publicRate.take(`domains of ${owner}`, request.ip);
    await signIn.providers.checkDomain(authority, request.params.domain.trim().toLowerCase());
    const base = ownAddress(config, request);
    return presentSignIn({ ...(await loadSignIn(signIn, owner)), base, owner });
  });
}

interface StoredSignIn {
  readonly provider: SignInProvider | null;
  readonly proofs: readonly DomainProof[];
}

async function loadSignIn({ providers }: Runtime['signIn'], owner: string): Promise<StoredSignIn> {
  return { provider: await providers.find(owner), proofs: await providers.listDomains(owner) };
}

interface Shown extends StoredSignIn {
  readonly base: string;
  readonly owner: string;
}

function presentSignIn({ provider, proofs, base, owner }: Shown): z.output<typeof signInSchema> {
  return {
    provider: provider && presentProvider(provider),
    domain_proofs: proofs.map(presentProof),
    callback_url: callbackAddress(base, owner),
    sign_in_url: signInLink(base, owner),
  };
}

function presentProvider(provider: SignInProvider): z.output<typeof providerSchema> {
  return {
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
  };
}

function presentProof(proof: DomainProof): z.output<typeof domainProofSchema> {
  return {
    domain: proof.domain,
    state: proof.verifiedAt === null ? 'pending' : 'verified',
    record_name: proof.record.name,
    record_value: proof.record.value,
    claimed_at: proof.claimedAt.toISOString(),
    claimed_by: proof.claimedBy,
    verified_at: proof.verifiedAt?.toISOString() ?? null,
    verified_by: proof.verifiedBy,
    checked_at: proof.checkedAt?.toISOString() ?? null,
    fault: proof.fault,
  };
}
