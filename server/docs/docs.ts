import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { type CompressedBody, compressBody, sendCompressed } from '../plugins/compression.ts';

const hiddenSchema = { hide: true };
const oneDay = 'public, max-age=86400';

/** The reference of the API, for people, at /docs: all of it comes from this server. */
export function docsRoutes(app: FastifyInstance): void {
  let opened: Promise<ReferencePage> | undefined;
  const page = () => {
    opened ??= openReferencePage();
    return opened;
  };
  app.get('/docs', { schema: hiddenSchema }, async (_request, reply) => {
    const { html, contentSecurityPolicy } = await page();
    reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' });
    return reply.type('text/html; charset=utf-8').send(html);
  });
  app.get('/docs/', { schema: hiddenSchema }, async (_request, reply) => reply.redirect('../docs', 308));
  app.get('/docs/scalar.js', { schema: hiddenSchema }, async (request, reply) => {
    const { script } = await page();
    reply.type('text/javascript; charset=utf-8').header('cache-control', oneDay);
    return sendCompressed(request, reply, script);
  });
}

interface ReferencePage {
  readonly html: string;
  readonly script: CompressedBody;
  /** Lets the page load what comes from this server, and nothing else. */
  readonly contentSecurityPolicy: string;
}

/** By their addresses relative to the page's, so that it also works behind a path of a proxy. */
const addresses = { description: './openapi.json', script: './docs/scalar.js' };

/** The theme's greys and signal colours, dark enough to be read on white and on grey. */
const readableColours = `.light-mode {
  --scalar-color-2: #5c5c5c;
  --scalar-color-3: #696969;
  --scalar-color-green: #006b44;
  --scalar-color-orange: #b03a00;
  --scalar-color-blue: #0063a3;
}`;

/** Whatever would lead away from this server is switched off. */
const configuration = {
  url: addresses.description,
  cdn: addresses.script,
  pageTitle: 'Parley API',
  theme: 'default',
  customCss: readableColours,
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
 * The reference of the API as a page. The package that makes it takes 40 MB of memory and a fifth of a second to load:
 * it is loaded here, by the first reader, and what it makes is taken from a server of its own that never listens.
 */
async function openReferencePage(): Promise<ReferencePage> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const maker = fastify();
  maker.register(reference, { routePrefix: '/docs', configuration });
  const html = inEnglish(await read('/docs/'));
  const script = await compressBody(await read('/docs/js/scalar.js'), { brotliQuality: 9 });
  await maker.close();
  return { html, script, contentSecurityPolicy: pageContentSecurityPolicy(html) };

  async function read(url: string): Promise<string> {
    return (await maker.inject({ method: 'GET', url })).body;
  }
}

/** The package names no language; a screen reader would take that of its user. */
function inEnglish(html: string): string {
  return html.replace('<html>', '<html lang="en">');
}

/** Styles are the exception: the page writes them into its elements, which no hash and no nonce can allow. */
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
