import type { SourceTools } from '../../source-reader.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';
import { AccessToken } from './access-token.ts';

interface App {
  readonly tenant_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
export function microsoftToken(
  { tenant_id: tenant, client_id, client_secret }: App,
  tools: SourceTools,
): AccessToken {
  const base = 'https://login.microsoftonline.com';
  const scope = 'https://graph.microsoft.com/.default';
  return new AccessToken({
    client: new ToolClient({ name: 'Microsoft', base, headers: {} }, tools),
    path: () => apiPath`/${tenant}/oauth2/v2.0/token`,
    now: tools.now,
    fields: () => ({ grant_type: 'client_credentials', client_id, client_secret, scope }),
  });
}
