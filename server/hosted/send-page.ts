import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { listVisitorMessages, loadVisitorState } from '../../core/visitors/visitor-conversation.ts';
import { element, renderDocument } from '../pages/html.ts';
import { toLoggedError } from '../plugins/errors.ts';
import type { TypedApp } from '../typed-app.ts';
import { loadWidgetAssets } from '../widget/assets.ts';
import { chatEntry } from '../widget/chat-entry.ts';
import { computeAccent } from '../widget/colours.ts';
import { type Look, presentLook } from '../widget/look.ts';
import { type ChosenTexts, chooseTexts } from '../widget/texts/choose-texts.ts';
import { switchedOffText } from './page-session.ts';
import { renderChat } from './render-chat.ts';

interface ChatPageState {
  readonly visitor: Visitor | null;
  readonly draft: string;
  readonly notice: string | null;
}

const maxMessages = 50;
/** Seconds after which a browser without scripts reloads the page to show replies of an agent. */
const refreshSeconds = '20';

/** Sends the page with the conversation so far. In browsers with scripts, the script takes over. */
export async function sendChatPage(
  { database, clock }: Runtime,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { visitor, draft, notice }: ChatPageState,
): Promise<FastifyReply> {
  const { look, workspace } = chatEntry.get(request);
  const chosen = choosePageTexts(request);
  const page = visitor && (await listVisitorMessages(database.kysely, visitor, { limit: maxMessages }));
  const state = visitor && (await loadVisitorState(database.kysely, visitor, clock.now()));
  const { page: script, style } = await loadWidgetAssets();
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
  const { html, styleSource } = renderDocument({
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
        ? [
            element('noscript', {}, [
              element('meta', { 'http-equiv': 'refresh', content: refreshSeconds }, []),
            ]),
          ]
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
      'content-security-policy': pageContentSecurityPolicy(look, styleSource),
      'referrer-policy': 'same-origin',
      ...(look.noindex && { 'x-robots-tag': 'noindex' }),
    })
    .type('text/html; charset=utf-8')
    .send(html);
}

const defaultAccent = '#3654d6';

/** Sends errors of `app` as HTML pages with the request id, because people see them in a browser. */
export function sendPageErrors(app: TypedApp): void {
  app.setErrorHandler(async (error, request: FastifyRequest, reply: FastifyReply) => {
    const known = toLoggedError(error, request);
    const { texts, language, direction } = choosePageTexts(request);
    const missing = known.message === switchedOffText ? texts.switchedOff : texts.notFound;
    const title = known.status === 404 ? missing : known.status === 429 ? texts.limited : texts.failed;
    const { style } = await loadWidgetAssets();
    const { html, styleSource } = renderDocument({
      title,
      language,
      direction,
      attributes: { 'data-theme': 'auto' },
      style: accentStyle(defaultAccent),
      head: [
        element('link', { rel: 'stylesheet', href: `/widget/assets/${style.name}` }, []),
        element('meta', { name: 'robots', content: 'noindex' }, []),
      ],
      body: [
        element('main', { class: 'lost' }, [
          element('p', { class: 'number' }, [String(known.status)]),
          element('h1', {}, [title]),
          ...(known.status === 404
            ? [element('p', {}, [texts.lost]), element('p', {}, [element('a', { href: '/' }, [texts.start])])]
            : []),
          element('p', { class: 'caption' }, [request.id]),
        ]),
      ],
    });
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
    return reply
      .code(known.status)
      .headers({
        'content-security-policy': pageContentSecurityPolicy({}, styleSource),
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

const querySchema = z.object({ lang: z.string().optional().catch(undefined) });

/** Chooses the language in the page's URL, else the first supported language of the browser. */
export function choosePageTexts({ query, headers }: FastifyRequest): ChosenTexts {
  const { lang } = querySchema.parse(query ?? {});
  return chooseTexts(lang === undefined ? (headers['accept-language'] ?? '').split(',') : [lang]);
}

/** In characters. All common proxies and browsers accept URLs of this length. */
const maxAddressLength = 4_000;

/**
 * Returns the URL of the page at `path`. It keeps the language of the request's URL and adds the draft unless
 * that makes the URL too long.
 */
export function pageAddress(
  path: string,
  { query }: FastifyRequest,
  { draft = '' }: { readonly draft?: string } = {},
): string {
  const { lang } = querySchema.parse(query ?? {});
  const parameters = new URLSearchParams({ ...(lang !== undefined && { lang }) });
  const plain = parameters.size === 0 ? path : `${path}?${parameters}`;
  if (draft === '') return plain;
  parameters.set('draft', draft);
  const whole = `${path}?${parameters}`;
  return whole.length > maxAddressLength ? plain : whole;
}

interface PolicyParts {
  /** The sites that may frame the page. */
  readonly frames?: "'none'" | "'self'";
  /** The servers that its scripts may call. */
  readonly calls?: "'none'" | "'self'";
}

/**
 * Returns a policy that lets the page load resources of this server, among them pictures of agents, and its logo only. No site may frame it, unless
 * `frames` lets the dashboard do so.
 */
export function pageContentSecurityPolicy(
  { logo_url: logo }: Pick<Look, 'logo_url'>,
  styleSource: string,
  { frames = "'none'", calls = "'self'" }: PolicyParts = {},
): string {
  const pictures = logo === undefined ? "'self'" : `'self' ${new URL(logo).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleSource}`,
    `img-src ${pictures}`,
    `connect-src ${calls}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ');
}

/** Returns the page's styles for the accent colour, which was validated before. */
export function accentStyle(chosen: string): string {
  const { colour, text, light, dark } = computeAccent(chosen);
  return `:root{--p-accent:${colour};--p-on-accent:${text};--p-link-light:${light};--p-link-dark:${dark}}`;
}
