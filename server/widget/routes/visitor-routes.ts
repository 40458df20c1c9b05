import multipart from '@fastify/multipart';
import type { Runtime } from '../../../core/runtime.ts';
import type { TypedApp } from '../../typed-app.ts';
import { limitVisitors } from '../limit-visitors.ts';
import { takeFiles } from '../take-files.ts';
import { takeSession } from '../visitor-session.ts';
import { deleteFile } from './delete-file.ts';
import { deleteSession } from './delete-session.ts';
import { getEvents } from './get-events.ts';
import { getMessages } from './get-messages.ts';
import { postAsk } from './post-ask.ts';
import { postContact } from './post-contact.ts';
import { postFeedback } from './post-feedback.ts';
import { postFile } from './post-file.ts';
import { postHuman } from './post-human.ts';
import { postRead } from './post-read.ts';
import type { StreamingRoute } from './route-kind.ts';

/** What a visitor with a session may do, whichever door he came through. */
export function visitorRoutes(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingRoute): void {
  app.register(async (asking: TypedApp) => {
    takeSession(asking, runtime);
    limitVisitors(asking, runtime, 'ask');
    postAsk(asking, runtime, { kind, limits });
    postHuman(asking, runtime, { kind, limits });
    postContact(asking, runtime, kind);
  });
  app.register(async (sending: TypedApp) => {
    takeSession(sending, runtime);
    takeFiles(sending);
    limitVisitors(sending, runtime, 'file');
    await sending.register(multipart, { throwFileSizeLimit: false });
    postFile(sending, runtime, kind);
  });
  app.register(async (reading: TypedApp) => {
    takeSession(reading, runtime);
    limitVisitors(reading, runtime, 'read');
    getMessages(reading, runtime, kind);
    getEvents(reading, runtime, { kind, limits });
    postFeedback(reading, runtime, kind);
    postRead(reading, runtime, kind);
    deleteFile(reading, runtime, kind);
    deleteSession(reading, runtime, kind);
  });
}
