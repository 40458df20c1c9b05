import { z } from 'zod';
import { personSkill } from '../../core/contract/skill.ts';
import { AppError } from '../../core/errors.ts';
import { withQuota } from '../../core/limits/quota.ts';
import type { Runtime } from '../../core/runtime.ts';
import { answerOrKeep, answerVisitor, type Said, tellPerson } from '../../core/visitors/answer-visitor.ts';
import { takeTurn } from '../../core/visitors/visitor-lock.ts';
import { withinDeadline } from '../deadline.ts';
import { sendUncompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from '../widget/chat-entry.ts';
import type { VisitorLimits } from '../widget/routes/visitor-route.ts';
import type { WidgetTexts } from '../widget/texts/widget-texts.ts';
import { openPageSession, readPageCookie } from './page-session.ts';
import { pageAddress, pageLanguage, sendChatPage } from './send-page.ts';

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

const body = z.object({
  query: z.string().catch('').default(''),
  human: z.string().optional().catch(undefined),
  suggestion: z.string().optional().catch(undefined),
});

/** `POST /c/{slug}`: the form of the page, for browsers without scripts. */
export function postPage(app: TypedApp, runtime: Runtime, { streamTimeoutMs }: VisitorLimits): void {
  app.post('', { schema: { hide: true, body } }, async (request, reply) => {
    const { workspace, account, look } = visitorDoor.of(request);
    const { texts } = pageLanguage(request);
    const visitor = await openPageSession(runtime, request, reply);
    const { text, draft, isHuman } = readForm(request.body, texts);
    const address = pageAddress(`/c/${look.slug}`, request, { draft });
    if (text === '') return reply.redirect(address, 303);
    try {
      if (Array.from(text).length > longest) throw new AppError('message_too_long');
      await say(runtime, {
        said: {
          workspace,
          visitor,
          channel: account.channel,
          text,
          skill: isHuman ? personSkill : undefined,
          metadata: null,
        },
        timeoutMs: streamTimeoutMs,
      });
      return reply.redirect(`${address}#end`, 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
      reply.code(error.status);
      return sendChatPage(
        runtime,
        { request, reply },
        { visitor, draft: draft === '' ? text : draft, notice: noticeOf(error, texts) },
      );
    }
  });
}

/** A button says something of its own: what was written and not sent stays in the field. */
function readForm({ human, suggestion, query }: z.output<typeof body>, texts: WidgetTexts) {
  const isHuman = human !== undefined;
  const pressed = isHuman ? texts.askHuman : suggestion?.trim();
  const written = query.trim();
  return pressed === undefined
    ? { text: written, draft: '', isHuman }
    : { text: pressed, draft: written, isHuman };
}

async function say(
  runtime: Runtime,
  { said, timeoutMs }: { readonly said: Said; readonly timeoutMs: number },
): Promise<void> {
  const giveBack = await takeTurn(runtime, said.visitor);
  try {
    if ((await tellPerson(runtime, said)) !== null) return;
    await answerOrKeep(runtime, said, () =>
      withQuota(runtime.quota, said.workspace, () =>
        withinDeadline(timeoutMs, (signal) => answerVisitor(runtime, said, { signal })),
      ),
    );
  } finally {
    await giveBack();
  }
}

function noticeOf({ code }: AppError, texts: WidgetTexts): string {
  if (code === 'quota_exhausted') return texts.quota;
  return code.startsWith('rate_limit') ? texts.limited : texts.failed;
}

/** `POST …/session`: the session stays in a cookie that the page's script does not see. */
export function postPageSession(app: TypedApp, runtime: Runtime): void {
  app.post('/session', { schema: { hide: true } }, async (request, reply) => {
    await openPageSession(runtime, request, reply);
    return reply.code(201).send({ session: '' });
  });
}
