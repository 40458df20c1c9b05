import type { FastifyReply, FastifyRequest } from 'fastify';
import { identifyVisitor } from '../../core/answering/identify-visitor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { visitorDoor } from '../widget/visitor-door.ts';
import { sessionCredential } from '../widget/visitor-session.ts';
import { readPageCookie, setPageCookie } from './page-cookie.ts';

/** The visitor of the page; a new one where its browser shows no session, or one that is over. */
export async function openPageSession(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor> {
  const { workspace, account, look } = visitorDoor.of(request);
  const shown = readPageCookie(request);
  const known = shown === null ? null : await runtime.visitors.find(account.id, shown);
  if (known !== null && !known.mustProve) return known;
  await identifyVisitor(runtime, workspace, { user: null, token: null });
  const { token, visitor } = await runtime.visitors.open({
    workspaceId: workspace.id,
    channelId: account.id,
    verified: null,
    token: null,
  });
  runtime.guesses.recognise('session', sessionCredential(account.id, token));
  setPageCookie(request, reply, { token, path: `/c/${look.slug}`, publicUrl: runtime.config.PUBLIC_URL });
  return visitor;
}
