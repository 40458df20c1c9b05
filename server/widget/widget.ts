import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { checkPage } from './check-page.ts';
import { findWidgetDoor, widgetParamsSchema } from './find-widget-door.ts';
import { limitVisitors } from './limit-visitors.ts';
import { getConfig } from './routes/get-config.ts';
import { getTestPage } from './routes/get-test-page.ts';
import { postSession } from './routes/post-session.ts';
import type { VisitorLimits } from './routes/visitor-limits.ts';
import { visitorRoutes } from './routes/visitor-routes.ts';

/** `/widget/{public_token}`: what the widget calls from the pages that carry it. */
export function widget(app: TypedApp, runtime: Runtime, limits: VisitorLimits): void {
  findWidgetDoor(app, runtime);
  checkPage(app, runtime);
  app.register(async (scope: TypedApp) => {
    limitVisitors(scope, runtime, 'read');
    getConfig(scope);
    getTestPage(scope);
  });
  app.register(async (scope: TypedApp) => {
    limitVisitors(scope, runtime, 'ask');
    postSession(scope, runtime);
  });
  visitorRoutes(app, runtime, { kind: { hide: false, params: widgetParamsSchema }, limits });
}
