import { createServer } from 'node:http';
import { z } from 'zod';

const css = `body{margin:0;font:17px/1.6 Georgia,serif;background:#f7f4ec;color:#26332b}
#own{margin-top:14px;padding:12px 22px;border:0;border-radius:10px;background:#26332b;color:#fff;font:16px Georgia,serif}
nav{display:flex;gap:28px;padding:22px 48px}nav b{font-size:21px;margin-inline-end:auto}
main{padding:48px;max-width:720px}h1{font-size:48px;line-height:1.1;margin:0 0 16px;font-weight:500}
.grid{display:grid;grid-template-columns:1fr 1fr;gap:22px;margin-top:40px}
article{display:grid;gap:4px}article i{height:190px;border-radius:14px;background:linear-gradient(150deg,#cfdcc6,#8fae8c)}
article:nth-child(2) i{background:linear-gradient(150deg,#e7dcc8,#c9a77c)}
@media(max-width:600px){nav{padding:18px 20px}nav span{display:none}main{padding:24px 20px}h1{font-size:34px}}
@media(prefers-color-scheme:dark){body{background:#1b211d;color:#e6ece4}#own{background:#e6ece4;color:#1b211d}}`;

const nonce = 'bG9va2luZ2dsYXNz';

/**
 * A shop's own site with a strict policy of its contents, which carries the widget of `hub`: as `?token=` and `?lang=`
 * say; with `?trusts=nonce` it trusts scripts by a nonce alone. It listens until it is closed.
 */
export async function openShopSite(hub: string) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/site.css') return response.setHeader('content-type', 'text/css').end(css);
    if (pathname === '/site.js') {
      return response
        .setHeader('content-type', 'text/javascript')
        .end(queued(searchParams.get('calls') ?? ''));
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const scripts =
      searchParams.get('trusts') === 'nonce'
        ? `'nonce-${nonce}' 'strict-dynamic'; require-trusted-types-for 'script'`
        : `'self' ${hub}`;
    const policy = `default-src 'none'; script-src ${scripts}; connect-src ${hub}; style-src 'self'; base-uri 'none'`;
    response.setHeader('content-security-policy', policy);
    return response.end(pageOf(hub, searchParams));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    origin: `http://localhost:${port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** Returns the calls that a page makes before the widget is loaded. */
function queued(calls: string): string {
  return `window.Parley=window.Parley||function(){(Parley.q=Parley.q||[]).push(arguments)};${calls}`;
}

function pageOf(hub: string, given: URLSearchParams): string {
  const lang = given.get('lang') ?? 'en';
  const calls = encodeURIComponent(given.get('calls') ?? '');
  return `<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>Pottle &amp; Sprig</title>
<link rel="stylesheet" href="/site.css"><script nonce="${nonce}" src="/site.js?calls=${calls}"></script>
<script nonce="${nonce}" async src="${hub}/widget.js" data-token="${given.get('token') ?? ''}"></script></head>
<body><nav><b>Pottle &amp; Sprig</b><span>Plants</span><span>Pots</span></nav><main><h1>Green things, delivered gently.</h1>
<p>House plants, herbs and hand-thrown pots from a small nursery.</p><button id="own">Add to basket</button>
<div class="grid"><article><i></i><b>Olive tree</b><span>€ 34</span></article>
<article><i></i><b>Monstera</b><span>€ 28</span></article></div></main></body></html>`;
}
