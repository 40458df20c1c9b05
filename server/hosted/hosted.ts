import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { limitVisitors } from '../widget/limit-visitors.ts';
import type { VisitorLimits } from '../widget/routes/visitor-limits.ts';
import { visitorRoutes } from '../widget/routes/visitor-routes.ts';
import { checkOwnPage } from './check-own-page.ts';
import { findPageDoor, pageParamsSchema } from './find-page-door.ts';
import { formBody } from './form-body.ts';
import { getPage } from './get-page.ts';
import { postPage } from './post-page.ts';
import { postPageSession } from './post-page-session.ts';
import { sendPageErrors } from './send-page-errors.ts';

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
