import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { expectPlatform } from '../shared/expect-platform.ts';
import { lenient } from '../shared/lenient.ts';
import { type CallTools, callIntercom } from './call-intercom.ts';
import type { IntercomAccount } from './manifest.ts';

const id = z.union([z.string().min(1), z.int().transform(String)]);
const adminSchema = z.object({ id, name: lenient(z.string()) });
const meSchema = adminSchema.extend({
  app: z.object({
    id_code: z.string().min(1),
    name: lenient(z.string()),
    region: lenient(z.string()),
    identity_verification: lenient(z.boolean()),
  }),
});

/** Whose workspace it is, and as whom we answer there: a teammate that it does not have is refused in its words. */
export function probe(account: IntercomAccount, tools: CallTools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Intercom', account, () => profileOf(account, tools));
}

async function profileOf(
  account: IntercomAccount,
  tools: CallTools,
): Promise<Readonly<Record<string, Json>>> {
  const me = understood(meSchema, await identify(account, tools));
  requireRegion(me.app.region, account);
  const { admin_id } = account.settings;
  const admin = admin_id === undefined || admin_id === me.id ? me : await findAdmin(admin_id, account, tools);
  return {
    admin_id: admin.id,
    admin_name: admin.name,
    app_id: me.app.id_code,
    app_name: me.app.name,
    region: me.app.region,
    identity_verification: me.app.identity_verification ?? false,
  };
}

async function identify(account: IntercomAccount, tools: CallTools): Promise<unknown> {
  try {
    return await callIntercom((client) => client.admins.identify(), account, tools);
  } catch (error) {
    const { region, api_base_url } = account.settings;
    if (!(error instanceof ConnectorError) || !error.account || api_base_url !== undefined) throw error;
    const hint = `A token is good where its workspace is hosted alone: is \`region\` ${region}?`;
    throw new ConnectorError(`${error.message} (${hint})`, { advice: error.advice, account: true });
  }
}

/** Nothing is posted or answered right where the workspace is hosted elsewhere. */
function requireRegion(hosted: string | null, { settings }: IntercomAccount): void {
  const { region, api_base_url } = settings;
  const known = hosted?.toLowerCase() ?? region;
  if (api_base_url !== undefined || known === region) return;
  throw new ConnectorError(`The workspace is hosted in ${hosted}: set \`region\` to ${known}.`, {
    advice: { retry: 'never' },
  });
}

async function findAdmin(admin: string, account: IntercomAccount, tools: CallTools) {
  const request = { admin_id: Number(admin) };
  const found = await callIntercom((client) => client.admins.find(request), account, tools);
  return understood(adminSchema, found);
}

function understood<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new ConnectorError("Intercom's answer is not understood.", {
    advice: { retry: 'backoff' },
    foreign: true,
  });
}
