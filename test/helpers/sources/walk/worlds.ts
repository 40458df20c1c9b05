import { googleDriveKind } from '../../../../core/sources/tools/drives/google-drive.ts';
import { s3Kind } from '../../../../core/sources/tools/drives/s3.ts';
import { intercomKind } from '../../../../core/sources/tools/help-centers/intercom.ts';
import { zendeskKind } from '../../../../core/sources/tools/help-centers/zendesk.ts';
import { githubKind } from '../../../../core/sources/tools/repositories/github.ts';
import { gitlabKind } from '../../../../core/sources/tools/repositories/gitlab.ts';
import { confluenceKind } from '../../../../core/sources/tools/wikis/confluence.ts';
import { ConfluenceStandIn } from '../tools/confluence.ts';
import { GitHubStandIn, shaOf } from '../tools/github.ts';
import { GitLabStandIn } from '../tools/gitlab.ts';
import { GoogleDriveStandIn, GoogleTokenStandIn, serviceAccount } from '../tools/google-drive.ts';
import { IntercomStandIn } from '../tools/intercom.ts';
import { S3StandIn } from '../tools/s3.ts';
import { ToolBench } from '../tools/tool-bench.ts';
import { ZendeskStandIn } from '../tools/zendesk.ts';
import { FileHost, type WalkedTool } from './tool-world.ts';

/** Times that grow, for changes. */
export function ticker(start = '2026-01-01T00:00:00Z') {
  let minutes = 0;
  return () => {
    minutes += 1;
    return new Date(Date.parse(start) + minutes * 60_000).toISOString();
  };
}

const zendesk: WalkedTool = {
  name: 'Zendesk',
  open(wrap, token = 'right') {
    const tool = new ZendeskStandIn();
    const now = ticker();
    const credentials = { email: 'ann@acme.example', api_token: `${token}-token` };
    let files = 100;
    return {
      bench: new ToolBench(wrap(zendeskKind), { settings: { subdomain: 'acme' }, credentials }, tool),
      secret: Buffer.from('ann@acme.example/token:right-token').toString('base64'),
      origins: [tool.origin],
      put(number, text) {
        tool.set(number, { body: `<p>${text}</p>`, updated_at: now() });
        return String(number);
      },
      remove: (number) => void tool.articles.delete(number),
      forbid: (number) => void tool.forbidden.add(String(number)),
      move: (number) => tool.set(number, { title: 'Moved', section_id: 6, updated_at: now() }),
      hide: {
        draft: (number) => tool.set(number, { draft: true }),
        restricted: (number) => tool.set(number, { user_segment_id: 9 }),
      },
      attach(number, file) {
        files += 1;
        tool.files.set(files, { article: number, ...file });
      },
      detach(_number, name) {
        for (const [id, file] of tool.files) if (file.name === name) tool.files.delete(id);
      },
      describe: () => ['Billing', 'Money', 'Refunds'],
    };
  },
};

const intercom: WalkedTool = {
  name: 'Intercom',
  open(wrap, token = 'right') {
    const tool = new IntercomStandIn();
    const host = new FileHost('https://downloads.intercomcdn.com');
    const credentials = { access_token: `${token}-token` };
    let updated = 1_750_000_000;
    const append = (number: number, html: string) => {
      const body = tool.articles.get(String(number))?.body ?? '';
      updated += 1;
      tool.set(String(number), { body: body + html, updated_at: updated });
    };
    return {
      bench: new ToolBench(wrap(intercomKind), { settings: {}, credentials }, tool, host),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        updated += 1;
        tool.set(String(number), { body: `<p>${text}</p>`, updated_at: updated });
        return String(number);
      },
      remove: (number) => void tool.articles.delete(String(number)),
      forbid: (number) => void tool.forbidden.add(String(number)),
      move: (number) => tool.set(String(number), { title: 'Moved', updated_at: updated + 9 }),
      hide: { draft: (number) => tool.set(String(number), { state: 'draft' }) },
      attach(number, file) {
        const address = host.add(`/i/o/${number}/${file.name}`, file);
        append(number, `<a href="${address}?expires=1&amp;signature=${updated}">${file.name}</a>`);
      },
      detach: (number) => tool.set(String(number), { body: '<p>Left</p>', updated_at: updated + 9 }),
    };
  },
};

function confluence(isCloud: boolean): WalkedTool {
  return {
    name: isCloud ? 'Confluence Cloud' : 'Confluence Data Center',
    open(wrap, token = 'right') {
      const tool = new ConfluenceStandIn({ isCloud });
      const site = isCloud ? `${tool.origin}/wiki` : tool.origin;
      const credentials = { token: `${token}-token`, ...(isCloud && { email: 'ann@acme.example' }) };
      let number = 1;
      const change = (id: number, more: object) => {
        number += 1;
        tool.set(String(id), { number, ...more });
      };
      return {
        bench: new ToolBench(
          wrap(confluenceKind),
          { settings: { site, spaces: ['HELP'] }, credentials },
          tool,
        ),
        secret: isCloud ? Buffer.from('ann@acme.example:right-token').toString('base64') : 'right-token',
        origins: [tool.origin],
        put(id, text) {
          // The last one is a blog post.
          const type = id === 5 ? 'blogpost' : 'page';
          change(id, { html: `<p>${text}</p>`, type });
          return type === 'page' ? String(id) : `blogpost:${id}`;
        },
        remove: (id) => void tool.pages.delete(String(id)),
        forbid: (id) => void tool.forbidden.add(String(id)),
        move: (id) => change(id, { title: 'Moved', parents: ['1'] }),
        hide: { restricted: (id) => tool.set(String(id), { readers: ['Ann'] }) },
        attach: (id, file) => void tool.files.set(`att${tool.files.size + 1}`, { page: String(id), ...file }),
        detach: () => tool.files.clear(),
        describe(id) {
          tool.set(String(id), { parents: ['2'] });
          tool.set('2', { title: 'Payments' });
          return ['Space HELP', 'Payments'];
        },
      };
    },
  };
}

function repository(host: 'GitHub' | 'GitLab'): WalkedTool {
  return {
    name: `${host} files`,
    open(wrap, token = 'right') {
      const credentials = { token: `${token}-token` };
      const tool = host === 'GitHub' ? new GitHubStandIn() : new GitLabStandIn();
      // GitHub lists a tree that is too large folder by folder.
      if (tool instanceof GitHubStandIn) tool.mostEntries = 4;
      const bench: ToolBench<unknown, unknown> =
        host === 'GitHub'
          ? new ToolBench(wrap(githubKind), { settings: { repository: 'acme/docs' }, credentials }, tool)
          : new ToolBench(wrap(gitlabKind), { settings: { project: 'acme/help/docs' }, credentials }, tool);
      const extensions = ['md', 'rst', 'adoc', 'ipynb', 'mdx'];
      const path = (number: number) => `docs/part-${number % 2}/file-${number}.${extensions[number % 5]}`;
      return {
        ...{ bench, secret: 'right-token', origins: [tool.origin] },
        put(number, text) {
          tool.files.set(path(number), text);
          return `file:${path(number)}`;
        },
        remove: (number) => void tool.files.delete(path(number)),
        forbid: (number) => void tool.forbidden.add(shaOf(tool.files.get(path(number)) ?? '')),
      };
    },
  };
}

const githubIssues: WalkedTool = {
  name: 'GitHub issues',
  open(wrap, token = 'right') {
    const tool = new GitHubStandIn();
    const host = new FileHost('https://github.com');
    const now = ticker();
    const settings = { repository: 'acme/docs', files: false, issues: 'all' };
    const append = (number: number, text: string) => {
      const before = tool.issues.get(number);
      const body = `${before?.body ?? ''}\n${text}`;
      tool.issues.set(number, { title: `Issue ${number}`, ...before, body, updated: now() });
    };
    return {
      bench: new ToolBench(
        wrap(githubKind),
        { settings, credentials: { token: `${token}-token` } },
        tool,
        host,
      ),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        tool.issues.set(number, { title: `Issue ${number}`, body: text, updated: now() });
        return `issue:${number}`;
      },
      remove: (number) => void tool.issues.delete(number),
      attach(number, file) {
        const address = host.add(`/user-attachments/files/${number}/${file.name}`, file);
        append(number, `[${file.name}](${address}) [elsewhere](https://evil.example/files/1/evil.md)`);
      },
      detach: (number) => void tool.issues.set(number, { title: 'Left', body: 'Left', updated: now() }),
      nest(number) {
        const texts = Array.from({ length: 250 }, (_, index) => `Comment number ${index}!`);
        tool.issues.set(number, { title: 'Long', body: 'Text', updated: now(), comments: texts });
        return texts;
      },
    };
  },
};

const gitlabIssues: WalkedTool = {
  name: 'GitLab issues',
  open(wrap, token = 'right') {
    const tool = new GitLabStandIn();
    const now = ticker();
    const settings = { project: 'acme/help/docs', files: false, issues: 'all' };
    const set = (number: number, more: object) => {
      const issue = { title: `Issue ${number}`, description: '', ...tool.issues.get(number) };
      tool.issues.set(number, { ...issue, ...more, updated_at: now() });
    };
    return {
      bench: new ToolBench(wrap(gitlabKind), { settings, credentials: { token: `${token}-token` } }, tool),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        set(number, { description: text });
        return `issue:${number}`;
      },
      remove: (number) => void tool.issues.delete(number),
      move: (number) => set(number, { title: 'Moved' }),
      attach(number, file) {
        tool.uploads.set(`0123456789abcdef/${file.name}`, file);
        const before = tool.issues.get(number)?.description ?? '';
        set(number, { description: `${before}\n[${file.name}](/uploads/0123456789abcdef/${file.name})` });
      },
      detach: (number) => set(number, { description: 'Left' }),
      nest(number) {
        const texts = Array.from({ length: 250 }, (_, index) => `Note number ${index}!`);
        set(number, { notes: texts.map((body) => ({ body })) });
        return texts;
      },
    };
  },
};

const drive: WalkedTool = {
  name: 'Google Drive',
  open(wrap, token = 'right') {
    const tool = new GoogleDriveStandIn();
    const tokens = new GoogleTokenStandIn(() => bench.now);
    const now = ticker();
    const account =
      token === 'right' ? serviceAccount : { ...serviceAccount, client_email: 'eve@acme.example' };
    const values = {
      settings: { folder_id: 'root-folder' },
      credentials: { service_account: JSON.stringify(account) },
    };
    const bench: ToolBench<unknown, unknown> = new ToolBench(wrap(googleDriveKind), values, tool, tokens);
    tool.set('root-folder', { mimeType: 'application/vnd.google-apps.folder', parent: 'drive-1' });
    tool.set('inner-1', { mimeType: 'application/vnd.google-apps.folder' });
    return {
      ...{ bench, secret: 'right-token', origins: [tool.origin] },
      put(number, text) {
        const file = { name: `Manual ${number}.md`, mimeType: 'text/markdown', modifiedTime: now(), text };
        tool.set(`file-${number}`, file);
        return `file-${number}`;
      },
      remove: (number) => void tool.files.delete(`file-${number}`),
      forbid: (number) => void tool.forbidden.add(`file-${number}`),
      move: (number) => tool.set(`file-${number}`, { parent: 'inner-1', modifiedTime: now() }),
      hide: {
        too_large: (number) => tool.set(`file-${number}`, { size: '99000000' }),
        unknown_format: (number) =>
          tool.set(`file-${number}`, { name: 'a.zip', mimeType: 'application/zip' }),
      },
    };
  },
};

const s3: WalkedTool = {
  name: 'S3',
  open(wrap, token = 'right') {
    const tool = new S3StandIn();
    const settings = { bucket: 'acme-docs', region: 'eu-central-1' };
    const credentials = { access_key_id: `${token}-key`, secret_access_key: 'right-secret' };
    return {
      bench: new ToolBench(wrap(s3Kind), { settings, credentials }, tool),
      ...{ secret: 'Credential=right-key', origins: [tool.origin] },
      put(number, text) {
        tool.set(`manuals/part ${number}.md`, text);
        return `manuals/part ${number}.md`;
      },
      remove: (number) => void tool.objects.delete(`manuals/part ${number}.md`),
      forbid: (number) => void tool.forbidden.add(`manuals/part ${number}.md`),
    };
  },
};

export const walkedTools: readonly WalkedTool[] = [
  ...[zendesk, intercom, confluence(true), confluence(false), repository('GitHub'), repository('GitLab')],
  ...[githubIssues, gitlabIssues, drive, s3],
];
