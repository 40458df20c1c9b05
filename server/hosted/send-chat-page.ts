import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Runtime } from '../../core/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { visitorMessages } from '../../core/visitors/visitor-messages.ts';
import { visitorState } from '../../core/visitors/visitor-state.ts';
import { element } from '../pages/element.ts';
import { writeDocument } from '../pages/write-document.ts';
import { assetShelf } from '../widget/assets/asset-shelf.ts';
import { presentLook } from '../widget/routes/present-look.ts';
import { visitorDoor } from '../widget/visitor-door.ts';
import { accentStyle } from './accent-style.ts';
import { pageAddress, pageLanguage } from './page-language.ts';
import { pagePolicy } from './page-policy.ts';
import { renderChat } from './render-chat.ts';

interface Shown {
  readonly visitor: Visitor | null;
  readonly draft: string;
  readonly notice: string | null;
}

const messagesShown = 50;
/** What a browser without scripts waits before it looks for what a person said. */
const lookSeconds = '20';

/** The page with what was said so far. A script takes it over where scripts run. */
export async function sendChatPage(
  { database, clock }: Runtime,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { visitor, draft, notice }: Shown,
): Promise<FastifyReply> {
  const { look, workspace } = visitorDoor.of(request);
  const chosen = pageLanguage(request);
  const page = visitor && (await visitorMessages(database.kysely, visitor, { limit: messagesShown }));
  const state = visitor && (await visitorState(database.kysely, visitor, clock.now()));
  const { page: script, style } = await assetShelf.get();
  const presented = presentLook({ look, workspace, chosen });
  const withPerson = state?.status === 'person' || state?.status === 'waiting';
  const chat = renderChat({
    ...presented,
    look,
    address: pageAddress(`/c/${look.slug}`, request),
    chosen,
    messages: page?.items.toReversed() ?? [],
    state,
    draft,
    notice,
  });
  const { html, styleSource } = writeDocument({
    title: presented.title,
    language: chosen.language,
    direction: chosen.direction,
    attributes: { 'data-theme': look.theme },
    style: accentStyle(look.colour),
    head: [
      element('link', { rel: 'stylesheet', href: `/widget/assets/${style.name}` }, []),
      element('script', { type: 'module', src: `/widget/assets/${script.name}` }, []),
      element('meta', { name: 'theme-color', content: look.colour }, []),
      element('meta', { name: 'description', content: presented.greeting }, []),
      ...(look.noindex ? [element('meta', { name: 'robots', content: 'noindex' }, [])] : []),
      ...(withPerson
        ? [element('noscript', {}, [element('meta', { 'http-equiv': 'refresh', content: lookSeconds }, [])])]
        : []),
    ],
    body: [
      element(
        'main',
        {
          'data-known': visitor === null ? 'no' : 'yes',
          id: 'chat',
          'data-slug': look.slug,
          'data-look': JSON.stringify(presented),
        },
        [chat],
      ),
    ],
  });
  return reply
    .headers({
      'content-security-policy': pagePolicy(look, styleSource),
      'referrer-policy': 'same-origin',
      ...(look.noindex && { 'x-robots-tag': 'noindex' }),
    })
    .type('text/html; charset=utf-8')
    .send(html);
}
