import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import {
  answerOrStoreForAgent,
  answerVisitor,
  storeForAgent,
  type VisitorUtterance,
} from '../../core/channels/answer-visitor.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { withReservedMessage } from '../../core/limits/quota.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { submitVisitorFeedback } from '../../core/visitors/visitor-conversation.ts';
import { acquireVisitorLock } from '../../core/visitors/visitor-lock.ts';
import { withDeadline } from '../deadline.ts';
import { sendUncompressed } from '../plugins/compression.ts';
import type { TypedApp } from '../typed-app.ts';
import { chatEntry } from '../widget/chat-entry.ts';
import type { StreamLimits } from '../widget/routes/visitor-route.ts';
import type { WidgetTexts } from '../widget/texts/widget-texts.ts';
import { ensurePageSession, readPageCookie } from './page-session.ts';
import { choosePageTexts, pageAddress, sendChatPage } from './send-page.ts';

const maxQuestionCharacters = 4_000;
const pageQuery = z.object({
  q: z.string().catch('').default(''),
  draft: z.string().catch('').default(''),
  lang: z.string().optional().catch(undefined),
});

/**
 * `GET /c/{slug}`. The script sends `?q=` as a question at once. `?draft=` is only filled into the input
 * field. `?lang=` sets the language of the page.
 */
export function getPage(app: TypedApp, runtime: Runtime): void {
  app.get('', { schema: { hide: true, querystring: pageQuery } }, async (request, reply) => {
    const token = readPageCookie(request);
    const { account } = chatEntry.get(request);
    const known = token === null ? null : await runtime.visitors.find(account.id, token);
    const visitor = known?.mustProve === false ? known : null;
    const draft = (request.query.q || request.query.draft).slice(0, maxQuestionCharacters);
    if (visitor !== null && draft !== '') sendUncompressed(request);
    return sendChatPage(runtime, { request, reply }, { visitor, draft, notice: null });
  });
}

const pageForm = z.object({
  query: z.string().catch('').default(''),
  human: z.string().optional().catch(undefined),
  suggestion: z.string().optional().catch(undefined),
  /** The id of an answer that helped. */
  helped: z.string().max(100).optional().catch(undefined),
});

/** `POST /c/{slug}`: the form of the page, for browsers without scripts. */
export function postPage(app: TypedApp, runtime: Runtime, { streamTimeoutMs }: StreamLimits): void {
  app.post('', { schema: { hide: true, body: pageForm } }, async (request, reply) => {
    const { workspace, account, look } = chatEntry.get(request);
    const { texts } = choosePageTexts(request);
    const visitor = await ensurePageSession(runtime, request, reply);
    const { text, draft, isHuman } = readForm(request.body, texts);
    const address = pageAddress(`/c/${look.slug}`, request, { draft });
    const { helped } = request.body;
    if (helped === undefined && text === '') return reply.redirect(address, 303);
    try {
      if (helped !== undefined) {
        await submitVisitorFeedback(runtime, visitor, { messageId: helped, value: 'up', comment: null });
        return reply.redirect(`${address}#end`, 303);
      }
      if (Array.from(text).length > maxQuestionCharacters) throw new AppError('message_too_long');
      await answerForm(runtime, {
        utterance: {
          workspace,
          visitor,
          channel: account.channel,
          text,
          skill: isHuman ? humanSkill : undefined,
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
        { visitor, draft: draft === '' ? text : draft, notice: errorNotice(error, texts) },
      );
    }
  });
}

/** A button sends its own text. An unsent draft stays in the input field. */
function readForm({ human, suggestion, query, helped }: z.output<typeof pageForm>, texts: WidgetTexts) {
  const isHuman = human !== undefined;
  const pressed = isHuman ? texts.askHuman : suggestion?.trim();
  const written = query.trim();
  if (helped !== undefined) return { text: '', draft: written, isHuman: false };
  return pressed === undefined
    ? { text: written, draft: '', isHuman }
    : { text: pressed, draft: written, isHuman };
}

async function answerForm(
  runtime: Runtime,
  { utterance, timeoutMs }: { readonly utterance: VisitorUtterance; readonly timeoutMs: number },
): Promise<void> {
  const releaseLock = await acquireVisitorLock(runtime, utterance.visitor);
  try {
    if ((await storeForAgent(runtime, utterance)) !== null) return;
    await answerOrStoreForAgent(runtime, utterance, () =>
      withReservedMessage(runtime.quota, utterance.workspace, () =>
        withDeadline(timeoutMs, (signal) => answerVisitor(runtime, utterance, { signal })),
      ),
    );
  } finally {
    await releaseLock();
  }
}

function errorNotice({ code }: AppError, texts: WidgetTexts): string {
  if (code === 'quota_exhausted') return texts.quota;
  return code.startsWith('rate_limit') ? texts.limited : texts.failed;
}

/** `POST …/session`: stores the session in a cookie that scripts cannot read. */
export function postPageSession(app: TypedApp, runtime: Runtime): void {
  app.post('/session', { schema: { hide: true } }, async (request, reply) => {
    await ensurePageSession(runtime, request, reply);
    return reply.code(201).send({ session: '' });
  });
}
