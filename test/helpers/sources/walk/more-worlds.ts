import { microsoftKind } from '../../../../core/sources/tools/drives/microsoft.ts';
import { freshdeskKind } from '../../../../core/sources/tools/help-centers/freshdesk.ts';
import { hubspotKind } from '../../../../core/sources/tools/help-centers/hubspot.ts';
import { openapiKind } from '../../../../core/sources/tools/openapi.ts';
import { discourseKind } from '../../../../core/sources/tools/wikis/discourse.ts';
import { jiraKind } from '../../../../core/sources/tools/wikis/jira.ts';
import { DiscourseStandIn } from '../tools/discourse.ts';
import { FreshdeskStandIn } from '../tools/freshdesk.ts';
import { HubSpotStandIn } from '../tools/hubspot.ts';
import { JiraStandIn } from '../tools/jira.ts';
import { GraphStandIn, MicrosoftTokenStandIn } from '../tools/microsoft.ts';
import { ToolBench } from '../tools/tool-bench.ts';
import { FileHost, type WalkedTool } from './tool-world.ts';
import { ticker } from './worlds.ts';

function jira(isCloud: boolean): WalkedTool {
  return {
    name: isCloud ? 'Jira Cloud' : 'Jira Data Center',
    open(wrap, token = 'right') {
      const tool = new JiraStandIn({ isCloud });
      const now = ticker();
      const settings = { site: tool.origin, projects: ['HELP'] };
      const credentials = { token: `${token}-token`, ...(isCloud && { email: 'ann@acme.example' }) };
      const change = (number: number, more: object) => tool.set(String(number), { ...more, updated: now() });
      return {
        bench: new ToolBench(wrap(jiraKind), { settings, credentials }, tool),
        secret: isCloud ? Buffer.from('ann@acme.example:right-token').toString('base64') : 'right-token',
        origins: [tool.origin],
        put(number, text) {
          change(number, { html: `<p>${text}</p>` });
          return String(number);
        },
        remove: (number) => void tool.issues.delete(String(number)),
        forbid: (number) => void tool.forbidden.add(String(number)),
        move: (number) => tool.set(String(number), { key: 'OTHER-9' }),
        hide: { restricted: (number) => tool.set(String(number), { isSecure: true }) },
        attach(number, file) {
          tool.files.set(String(tool.files.size + 1), { ...file, issue: String(number) });
          change(number, {});
        },
        detach: () => tool.files.clear(),
        nest(number) {
          const texts = Array.from({ length: 130 }, (_, index) => `Comment number ${index}!`);
          change(number, { comments: texts.map((body) => ({ body: `<p>${body}</p>` })) });
          return texts;
        },
        describe(number) {
          change(number, {
            comments: [{ body: '<p>Public words</p>' }, { body: '<p>Internal words</p>', jsdPublic: false }],
            names: {
              customfield_2: 'Product area',
              customfield_3: 'Plan',
              status: 'Status',
              labels: 'Labels',
            },
            fields: {
              ...{
                status: { name: 'Done' },
                labels: ['faq', 'cards'],
                customfield_2: { value: 'Billing', child: { value: 'Refunds' } },
              },
              ...{
                customfield_3: [{ value: 'Gold' }, { value: 'Silver' }],
                parent: { fields: { summary: 'All about cards' } },
              },
            },
          });
          return [
            'Help desk',
            'All about cards',
            'Status: Done',
            'Labels: faq, cards',
            'Billing › Refunds',
            'Plan: Gold, Silver',
            'Public words',
          ];
        },
      };
    },
  };
}

const freshdesk: WalkedTool = {
  name: 'Freshdesk',
  open(wrap, token = 'right') {
    const tool = new FreshdeskStandIn();
    const host = new FileHost('https://s3.amazonaws.com');
    const now = ticker();
    const credentials = { api_key_token: `${token}-token` };
    const change = (number: number, more: object) => tool.set(number, { ...more, updated_at: now() });
    return {
      bench: new ToolBench(wrap(freshdeskKind), { settings: { subdomain: 'acme' }, credentials }, tool, host),
      secret: Buffer.from('right-token:X').toString('base64'),
      origins: [tool.origin],
      put(number, text) {
        change(number, { description: `<p>${text}</p>` });
        return String(number);
      },
      remove: (number) => void tool.articles.delete(number),
      forbid: (number) => void tool.forbidden.add(String(number)),
      move: (number) => change(number, { folder_id: 20 }),
      hide: {
        draft: (number) => tool.set(number, { status: 1 }),
        restricted(number) {
          tool.folders.set(30, { name: 'Staff', category: 2, visibility: 3 });
          tool.set(number, { folder_id: 30 });
        },
      },
      attach(number, file) {
        const before = tool.articles.get(number)?.attachments ?? [];
        const address = host.add(`/cdn.freshdesk.com/${file.name}`, file);
        const { name, type, bytes } = file;
        const added = { id: before.length + 1, name, content_type: type, size: bytes.byteLength };
        change(number, {
          attachments: [...before, { ...added, attachment_url: `${address}?signature=${now()}` }],
        });
      },
      detach: (number) => change(number, { attachments: [] }),
      describe: () => ['Section: Money › Payments'],
    };
  },
};

const hubspot: WalkedTool = {
  name: 'HubSpot',
  open(wrap, token = 'right') {
    const tool = new HubSpotStandIn();
    const host = new FileHost('https://www.acme.example');
    const now = ticker();
    const change = (number: number, more: object) => tool.set(String(number), { ...more, updated: now() });
    const credentials = { access_token: `${token}-token` };
    return {
      bench: new ToolBench(wrap(hubspotKind), { settings: {}, credentials }, tool, host),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        change(number, { postBody: `<p>${text}</p>` });
        return String(number);
      },
      remove: (number) => void tool.posts.delete(String(number)),
      forbid: (number) => void tool.forbidden.add(String(number)),
      move: (number) => change(number, { name: 'Moved' }),
      hide: {
        draft: (number) => tool.set(String(number), { state: 'DRAFT' }),
        restricted: (number) => tool.set(String(number), { password: 'x' }),
        archived: (number) => tool.set(String(number), { archivedAt: '2026-02-01T00:00:00Z' }),
      },
      attach(number, file) {
        host.add(`/hubfs/${file.name}`, file);
        const before = tool.posts.get(String(number))?.postBody ?? '';
        const links = `<a href="/hubfs/${file.name}">x</a><a href="https://evil.example/hubfs/evil.md">y</a>`;
        change(number, { postBody: before + links });
      },
      detach: (number) => change(number, { postBody: '<p>Left</p>' }),
    };
  },
};

const discourse: WalkedTool = {
  name: 'Discourse',
  open(wrap, token = 'right') {
    const tool = new DiscourseStandIn();
    const now = ticker();
    const change = (number: number, more: object) => tool.set(number, { ...more, bumped_at: now() });
    const values = { settings: { site: tool.origin }, credentials: { api_token: `${token}-token` } };
    return {
      bench: new ToolBench(wrap(discourseKind), values, tool),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        change(number, { posts: [`<p>${text}</p>`] });
        return String(number);
      },
      remove: (number) => void tool.topics.delete(number),
      forbid: (number) => void tool.forbidden.add(String(number)),
      move: (number) => change(number, { title: 'Moved', category_id: 4 }),
      hide: { unlisted: (number) => tool.set(number, { visible: false }) },
      attach(number, file) {
        tool.uploads.set(file.name, file);
        const before = tool.topics.get(number)?.posts ?? [];
        const link = `<a class="attachment" href="/uploads/short-url/${file.name}">${file.name}</a>`;
        change(number, { posts: [...before, link] });
      },
      detach: (number) => change(number, { posts: ['<p>Left</p>'] }),
      nest(number) {
        const texts = Array.from({ length: 130 }, (_, index) => `Reply number ${index}!`);
        change(number, {
          posts: ['<p>Question</p>', ...texts.map((text) => `<p>${text}</p>`)],
          accepted: 90,
        });
        return texts;
      },
      describe(number) {
        change(number, { posts: ['<p>How?</p>', '<p>No.</p>', '<p>Like this.</p>'], accepted: 3 });
        return ['Section: Support › Payments', '<h2>Answer</h2><p>Like this.</p><h2>Reply</h2><p>No.</p>'];
      },
    };
  },
};

const sharepoint: WalkedTool = {
  name: 'SharePoint',
  open(wrap, token = 'right') {
    const tool = new GraphStandIn();
    const credentials = {
      tenant_id: 'acme.onmicrosoft.com',
      client_id: 'app',
      client_secret: `${token}-secret`,
    };
    const settings = { site: 'https://acme.sharepoint.com/sites/help', library: 'Documents' };
    let eTag = 1;
    const change = (number: number, more: object) => {
      eTag += 1;
      tool.set(`item-${number}`, { ...more, eTag: String(eTag) });
    };
    return {
      bench: new ToolBench(wrap(microsoftKind), { settings, credentials }, tool, new MicrosoftTokenStandIn()),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        change(number, { text });
        return `b!drive/item-${number}`;
      },
      remove: (number) => tool.delete(`item-${number}`),
      forbid: (number) => void tool.forbidden.add(`item-${number}`),
      move: (number) => change(number, { name: 'Moved.md' }),
      hide: {
        malware: (number) => change(number, { isMalware: true }),
        too_large: (number) => change(number, { size: 99_000_000 }),
        unknown_format: (number) => change(number, { isNotebook: true }),
      },
    };
  },
};

const openapi: WalkedTool = {
  name: 'OpenAPI',
  open(wrap, token = 'right') {
    const paths: Record<string, object> = {};
    const api = { openapi: '3.1.0', info: { title: 'Acme API', description: 'For shops.' }, paths };
    const tool = {
      origin: 'https://api.acme.example',
      respond: ({ headers }: { readonly headers: Headers }) =>
        headers.get('authorization') === 'Bearer right-token'
          ? { json: api }
          : { status: 401, json: { message: 'No.' } },
    };
    const values = {
      settings: { url: `${tool.origin}/openapi.json` },
      credentials: { token: `${token}-token` },
    };
    return {
      bench: new ToolBench(wrap(openapiKind), values, tool),
      ...{ secret: 'right-token', origins: [tool.origin], isOnePage: true, others: ['overview'] },
      put(number, text) {
        paths[`/orders/${number}`] = { get: { summary: text, responses: { 200: { description: 'Found' } } } };
        return `GET /orders/${number}`;
      },
      remove: (number) => void delete paths[`/orders/${number}`],
      describe(number) {
        const parameters = [
          { name: 'expand', in: 'query', schema: { type: 'string' }, description: 'What to add' },
        ];
        const schema = { type: 'object', properties: { note: { type: 'string', description: 'A note' } } };
        const requestBody = { content: { 'application/json': { schema } } };
        paths[`/orders/${number}`] = {
          get: { parameters, requestBody, responses: { 404: { description: 'Lost' } } },
        };
        return ['Acme API', 'expand', 'What to add', 'note', 'A note', 'Lost'];
      },
    };
  },
};

export const moreTools: readonly WalkedTool[] = [
  ...[jira(true), jira(false), freshdesk, hubspot, discourse, sharepoint, openapi],
];
