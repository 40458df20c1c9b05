import { AppError } from '../../core/base/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { compareOrigin } from '../plugins/own-address.ts';
import type { TypedApp } from '../typed-app.ts';
import type { StreamLimits } from '../widget/routes/visitor-route.ts';
import { limitVisitorRate } from '../widget/visitor-guards.ts';
import { visitorRoutes } from '../widget/widget.ts';
import { getPage, postPage, postPageSession } from './page-routes.ts';
import { loadPageEntry, pageParamsSchema } from './page-session.ts';
import { sendPageErrors } from './send-page.ts';

/** Registers `/c/{slug}`: the hosted page of a workspace and the routes that its script calls. */
export function hostedRoutes(app: TypedApp, runtime: Runtime, limits: StreamLimits): void {
  app.register(async (page: TypedApp) => {
    sendPageErrors(page);
    parseFormBodies(page);
    loadPageEntry(page, runtime);
    requireOwnOrigin(page, runtime);
    page.register(async (reading: TypedApp) => {
      limitVisitorRate(reading, runtime, 'read');
      getPage(reading, runtime);
    });
    page.register(async (asking: TypedApp) => {
      limitVisitorRate(asking, runtime, 'form');
      postPage(asking, runtime, limits);
    });
  });
  app.register(async (calls: TypedApp) => {
    loadPageEntry(calls, runtime);
    requireOwnOrigin(calls, runtime);
    calls.register(async (opening: TypedApp) => {
      limitVisitorRate(opening, runtime, 'ask');
      postPageSession(opening, runtime);
    });
    visitorRoutes(calls, runtime, { kind: { hide: true, params: pageParamsSchema }, limits });
  });
}

/** Parses form bodies. If a field occurs several times, the last value counts. */
function parseFormBodies(app: TypedApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text))),
  );
}

const safeMethods = ['GET', 'HEAD'];

/**
 * Rejects requests that change something unless they come from the page itself, as a protection against
 * cross-site request forgery.
 */
function requireOwnOrigin(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    if (safeMethods.includes(request.method)) return;
    const site = request.headers['sec-fetch-site'];
    const isOwn = compareOrigin(request, config.PUBLIC_URL) !== 'foreign';
    const isSame = site === undefined || site === 'same-origin' || site === 'none';
    if (!isOwn || !isSame)
      throw new AppError('origin_not_allowed', {
        detail: 'Requests from other sites are not allowed. Send the form from this page.',
      });
  });
}
