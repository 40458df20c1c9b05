import multipart from '@fastify/multipart';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { loadWidgetEntry, widgetParamsSchema } from './chat-entry.ts';
import { requireAllowedPage } from './origin.ts';
import { postAsk, postHuman } from './routes/ask.ts';
import { getConfig } from './routes/config.ts';
import { getEvents } from './routes/events.ts';
import { deleteFile, postFile } from './routes/files.ts';
import { getMessages, postFeedback, postRating, postRead, postTyping } from './routes/messages.ts';
import { deleteSession, postContact, postSession } from './routes/session.ts';
import { getTestPage } from './routes/test-page.ts';
import type { StreamingVisitorRoute, StreamLimits } from './routes/visitor-route.ts';
import { limitVisitorRate, requireAttachmentsOn, requireSession } from './visitor-guards.ts';

/** Registers `/widget/{public_token}`: the routes that the widget calls from the pages that include it. */
export function widgetRoutes(app: TypedApp, runtime: Runtime, limits: StreamLimits): void {
  loadWidgetEntry(app, runtime);
  requireAllowedPage(app, runtime);
  app.register(async (scope: TypedApp) => {
    limitVisitorRate(scope, runtime, 'read');
    getConfig(scope);
    getTestPage(scope);
  });
  app.register(async (scope: TypedApp) => {
    limitVisitorRate(scope, runtime, 'ask');
    postSession(scope, runtime);
  });
  visitorRoutes(app, runtime, { kind: { hide: false, params: widgetParamsSchema }, limits });
}

/** Registers the routes that a visitor with a session may call, in the widget and on the hosted page. */
export function visitorRoutes(
  app: TypedApp,
  runtime: Runtime,
  { kind, limits }: StreamingVisitorRoute,
): void {
  app.register(async (asking: TypedApp) => {
    requireSession(asking, runtime);
    limitVisitorRate(asking, runtime, 'ask');
    postAsk(asking, runtime, { kind, limits });
    postHuman(asking, runtime, { kind, limits });
    postContact(asking, runtime, kind);
  });
  app.register(async (sending: TypedApp) => {
    requireSession(sending, runtime);
    requireAttachmentsOn(sending);
    limitVisitorRate(sending, runtime, 'file');
    await sending.register(multipart, { throwFileSizeLimit: false });
    postFile(sending, runtime, kind);
  });
  app.register(async (reading: TypedApp) => {
    requireSession(reading, runtime);
    limitVisitorRate(reading, runtime, 'read');
    getMessages(reading, runtime, kind);
    getEvents(reading, runtime, { kind, limits });
    postFeedback(reading, runtime, kind);
    postRead(reading, runtime, kind);
    postTyping(reading, runtime, kind);
    postRating(reading, runtime, kind);
    deleteFile(reading, runtime, kind);
    deleteSession(reading, runtime, kind);
  });
}
