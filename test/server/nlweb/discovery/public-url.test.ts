import { expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { discover, openWorkspace } = await openPublicServer({
  runtime: { environment: { PUBLIC_URL: 'https://agents.example/' } },
});

test('uses the configured public URL, whatever the request says', async () => {
  const { id } = await openWorkspace();
  expect((await discover(id, { host: 'elsewhere.example' })).json()).toMatchObject({
    ask_url: `https://agents.example/api/nlweb/${id}/ask`,
    mcp_url: `https://agents.example/api/nlweb/${id}/mcp`,
  });
});
