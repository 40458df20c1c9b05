import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import type { VisitorLimits } from '../widget/routes/visitor-route.ts';
import { limitVisitors } from '../widget/visitor-guards.ts';
import { visitorRoutes } from '../widget/widget.ts';
import { getPage, postPage, postPageSession } from './page-routes.ts';
import { findPageDoor, pageParamsSchema } from './page-session.ts';
import { sendPageErrors } from './send-page.ts';

/** `/c/{slug}`: the page of a workspace, and what its script calls. */
export function hosted(app: TypedApp, runtime: Runtime, limits: VisitorLimits): void {
  app.register(async (page: TypedApp) => {
    sendPageErrors(page);
    formBody(page);
    findPageDoor(page, runtime);
    checkOwnPage(page, runtime);
    page.register(async (reading: TypedApp) => {
      limitVisitors(reading, runtime, 'read');
      getPage(reading, runtime);
    });
    page.register(async (asking: TypedApp) => {
      limitVisitors(asking, runtime, 'form');
      postPage(asking, runtime, limits);
    });
  });
  app.register(async (calls: TypedApp) => {
    findPageDoor(calls, runtime);
    checkOwnPage(calls, runtime);
    calls.register(async (opening: TypedApp) => {
      limitVisitors(opening, runtime, 'ask');
      postPageSession(opening, runtime);
    });
    visitorRoutes(calls, runtime, { kind: { hide: true, params: pageParamsSchema }, limits });
  });
}

/** Bodies are forms of a page: of a field that is given twice the last one. */
function formBody(app: TypedApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text))),
  );
}

const readOnly = ['GET', 'HEAD'];

/** What changes something comes from the page itself: other sites cannot make a browser do it. */
function checkOwnPage(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async ({ method, headers, host }) => {
    if (readOnly.includes(method)) return;
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    const own = [host, config.PUBLIC_URL === undefined ? host : new URL(config.PUBLIC_URL).host];
    const isOwn = origin === undefined || own.includes(URL.parse(origin)?.host ?? '');
    const isSame = site === undefined || site === 'same-origin' || site === 'none';
    if (!isOwn || !isSame)
      throw new AppError('origin_not_allowed', { detail: 'Another site may not post here.' });
  });
}
