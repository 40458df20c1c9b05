import { z } from 'zod';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from '../widget/visitor-door.ts';
import { readPageCookie } from './page-cookie.ts';
import { sendChatPage } from './send-chat-page.ts';

const longest = 4_000;
const querystring = z.object({ q: z.string().catch('').default('') });

/** `GET /c/{slug}`; `?q=` is a question that stands in the field, and is asked where scripts run. */
export function getPage(app: TypedApp, runtime: Runtime): void {
  app.get('', { schema: { hide: true, querystring } }, async (request, reply) => {
    const token = readPageCookie(request);
    const { account } = visitorDoor.of(request);
    const visitor = token === null ? null : await runtime.visitors.find(account.id, token);
    const draft = request.query.q.slice(0, longest);
    return sendChatPage(runtime, { request, reply }, { visitor, draft, notice: null });
  });
}
