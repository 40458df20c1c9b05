import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize } from 'parse5';
import { loadOnce } from '../../core/base/async.ts';
import { type Element, element } from '../pages/html.ts';
import { type CompressedBody, compressBody, sendCompressed } from '../plugins/compression.ts';

const hiddenSchema = { hide: true };
const oneDay = 'public, max-age=86400';

/** The API reference at /docs, with every script and style from this server. */
export function referenceRoutes(app: FastifyInstance): void {
  const page = loadOnce(openReferencePage);
  app.get('/docs', { schema: hiddenSchema }, async (_request, reply) => {
    const { html, contentSecurityPolicy } = await page();
    reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' });
    return reply.type('text/html; charset=utf-8').send(html);
  });
  for (const other of ['/docs/', '/docs/reference']) {
    app.get(other, { schema: hiddenSchema }, async (_request, reply) => reply.redirect('../docs', 308));
  }
  app.get('/docs/scalar.js', { schema: hiddenSchema }, async (request, reply) => {
    const { script } = await page();
    reply.type('text/javascript; charset=utf-8').header('cache-control', oneDay);
    return sendCompressed(request, reply, script);
  });
}

interface ReferencePage {
  readonly html: string;
  readonly script: CompressedBody;
  /** Permits scripts, styles and calls of this server only. */
  readonly contentSecurityPolicy: string;
}

/** Relative to the page, so that it also works behind a path of a proxy. */
const addresses = { description: './openapi.json', script: './docs/scalar.js' };

/** The theme's greys and signal colours, darkened until they have enough contrast on white and on grey. */
const readableColours = `.light-mode {
  --scalar-color-2: #5c5c5c;
  --scalar-color-3: #696969;
  --scalar-color-green: #006b44;
  --scalar-color-orange: #b03a00;
  --scalar-color-blue: #0063a3;
}`;

/** The package leaves the height of `--scalar-custom-header-height` free above its side bar. */
const headerStyle = `:root { --scalar-custom-header-height: 44px; }
.guide-links {
  position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 44px; padding: 0 24px;
  display: flex; gap: 20px; align-items: center; white-space: nowrap; overflow-x: auto; font: 15px/1.5 system-ui, sans-serif;
  background: var(--scalar-background-1); color: var(--scalar-color-1);
  border-bottom: 1px solid var(--scalar-border-color);
}
.guide-links a { color: inherit; text-decoration: underline; text-underline-offset: 0.2em; }
.guide-links span { font-weight: 600; }`;

/** Switches off every feature that would call or link to another server. */
const configuration = {
  url: addresses.description,
  cdn: addresses.script,
  pageTitle: 'Parley API',
  theme: 'default',
  customCss: `${readableColours}\n${headerStyle}`,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  proxyUrl: '',
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
} as const;

/**
 * Renders the reference. The package that does so takes 40 MB of memory and a fifth of a second to load, so the first
 * reader loads it. It only works as a plug-in of a server: one that never listens hands out its page and script.
 */
async function openReferencePage(): Promise<ReferencePage> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const maker = fastify();
  maker.register(reference, { routePrefix: '/docs', configuration });
  const html = completePage(await read('/docs/'));
  const script = await compressBody(await read('/docs/js/scalar.js'), { brotliQuality: 9 });
  await maker.close();
  return { html, script, contentSecurityPolicy: pageContentSecurityPolicy(html) };

  async function read(url: string): Promise<string> {
    return (await maker.inject({ method: 'GET', url })).body;
  }
}

/** Adds the language, which a screen reader needs and the package leaves out, and links to the guides. */
function completePage(html: string): string {
  const document = parse(html);
  const root = findElement(document, 'html');
  const body = root && findElement(root, 'body');
  if (!root || !body) return html;
  root.attrs.push({ name: 'lang', value: 'en' });
  defaultTreeAdapter.insertBefore(body, renderGuideLinks(), body.childNodes[0] ?? renderGuideLinks());
  return serialize(document);
}

function findElement(parent: DefaultTreeAdapterTypes.ParentNode, name: string): Element | undefined {
  return parent.childNodes.filter(defaultTreeAdapter.isElementNode).find(({ tagName }) => tagName === name);
}

function renderGuideLinks(): Element {
  return element('header', { class: 'guide-links' }, [
    element('a', { href: './docs/guide' }, ['Guides']),
    element('a', { href: './docs/guide#channels' }, ['Channels']),
    element('a', { href: './docs/search' }, ['Search']),
    element('span', { 'aria-current': 'page' }, ['API reference']),
  ]);
}

/** Inline styles are permitted: the page sets them on elements, which neither a hash nor a nonce can allow. */
function pageContentSecurityPolicy(html: string): string {
  const inline = [...html.matchAll(/<script[^<>]*>([^<]+)<\/script>/g)].flatMap((match) => match[1] ?? []);
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
