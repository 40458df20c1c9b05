import { z } from 'zod';
import type { Runtime } from '../../core/runtime.ts';
import { sendUncompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from '../widget/visitor-door.ts';
import { readPageCookie } from './page-cookie.ts';
import { sendChatPage } from './send-chat-page.ts';

const longest = 4_000;
const querystring = z.object({
  q: z.string().catch('').default(''),
  draft: z.string().catch('').default(''),
  lang: z.string().optional().catch(undefined),
});

/**
 * `GET /c/{slug}`. `?q=` is a question for the field, which the script asks at once; `?draft=` stands in the field and is
 * not asked; `?lang=` is the page's language.
 */
export function getPage(app: TypedApp, runtime: Runtime): void {
  app.get('', { schema: { hide: true, querystring } }, async (request, reply) => {
    const token = readPageCookie(request);
    const { account } = visitorDoor.of(request);
    const known = token === null ? null : await runtime.visitors.find(account.id, token);
    const visitor = known?.mustProve === false ? known : null;
    const draft = (request.query.q || request.query.draft).slice(0, longest);
    if (visitor !== null && draft !== '') sendUncompressed(request);
    return sendChatPage(runtime, { request, reply }, { visitor, draft, notice: null });
  });
}
