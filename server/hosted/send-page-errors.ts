import type { FastifyReply, FastifyRequest } from 'fastify';
import { element } from '../pages/element.ts';
import { writeDocument } from '../pages/write-document.ts';
import { knownError } from '../plugins/known-error.ts';
import type { TypedApp } from '../typed-app.ts';
import { assetShelf } from '../widget/assets/asset-shelf.ts';
import { accentStyle } from './accent-style.ts';
import { switchedOff } from './find-page-door.ts';
import { pageLanguage } from './page-language.ts';
import { pagePolicy } from './page-policy.ts';

const colour = '#3654d6';

/** People look at what goes wrong at `app`: they are told it by a page, and given the number to ask about. */
export function sendPageErrors(app: TypedApp): void {
  app.setErrorHandler(async (error, request: FastifyRequest, reply: FastifyReply) => {
    const known = knownError(error, request);
    const { texts, language, direction } = pageLanguage(request);
    const missing = known.message === switchedOff ? texts.switchedOff : texts.notFound;
    const title = known.status === 404 ? missing : known.status === 429 ? texts.limited : texts.failed;
    const { style } = await assetShelf.get();
    const { html, styleSource } = writeDocument({
      title,
      language,
      direction,
      attributes: { 'data-theme': 'auto' },
      style: accentStyle(colour),
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
      .headers({ 'content-security-policy': pagePolicy({}, styleSource), 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(html);
  });
}
