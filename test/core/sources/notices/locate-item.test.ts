import { expect, test } from 'vitest';
import { locateItem } from '../../../../core/sources/notices/locate-item.ts';

const website = { url: 'https://www.acme.example/help' };
const github = { repository: 'acme/docs', folder: 'docs' };
const gitlab = { project: 'acme/docs' };
const page = '0e5f0e5f-0000-4000-8000-000000000001';

test.each([
  ['website', website, 'https://acme.example/help/a?utm_source=mail#part', 'https://acme.example/help/a'],
  ['website', website, '/help/b', 'https://www.acme.example/help/b'],
  ['github', github, 'file:docs/a b.md', 'file:docs/a b.md'],
  ['github', github, 'https://github.com/Acme/docs/blob/main/docs/a%20b.md?plain=1', 'file:docs/a b.md'],
  ['gitlab', gitlab, 'https://gitlab.com/acme/docs/-/blob/main/README.md', 'file:README.md'],
  ['zendesk', { subdomain: 'acme' }, '7001', '7001'],
  ['zendesk', { subdomain: 'acme' }, 'https://help.acme.example/hc/en-us/articles/7001-Returns', '7001'],
  ['notion', {}, `https://www.notion.so/Returns-${page.replaceAll('-', '')}?pvs=4`, page],
  ['notion', {}, page, page],
])('of %s %j, %s is %s', (kind, settings, name, key) => {
  expect(locateItem(kind, settings, name)).toMatchObject({ key });
});

test.each([
  ['website', website, 'https://other.example/help'],
  ['website', website, 'javascript:alert(1)'],
  ['website', website, 'help'],
  ['website', website, 'https://acme.example/logo.png'],
  ['website', {}, '/help'],
  ['github', github, 'file:src/a.md'],
  ['github', github, 'file:docs/code.ts'],
  ['github', github, 'file:docs/../../../other/secret.md'],
  ['github', github, 'https://github.com/acme/docs/blob/main/docs/%2E%2E/%2E%2E/secret.md'],
  ['github', github, 'https://github.com/acme/docs/blob/main/docs/%E0%A4%A.md'],
  ['github', { ...github, files: false }, 'file:docs/a.md'],
  ['github', github, 'https://github.com/acme/other/blob/main/docs/a.md'],
  ['gitlab', gitlab, 'file:a//b.md'],
  ['zendesk', { subdomain: 'acme' }, '7001/../users'],
  ['notion', {}, 'https://www.notion.so/Returns'],
  ['folder', { path: '/srv' }, 'a.md'],
])('of %s %j, %s is nothing', (kind, settings, name) => {
  expect(locateItem(kind, settings, name)).toBeNull();
});
