import { pageContentSecurityPolicy } from '../../hosted/send-page.ts';
import { element, renderDocument } from '../../pages/html.ts';
import type { TypedApp } from '../../typed-app.ts';
import { chatEntry, widgetParamsSchema } from '../chat-entry.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.375rem; }
`;

/**
 * `GET /widget/{public_token}`: a page that shows the widget, so that it can be tried before a site includes
 * it.
 */
export function getTestPage(app: TypedApp): void {
  app.get('', { schema: { hide: true, params: widgetParamsSchema } }, async (request, reply) => {
    const { look, workspace } = chatEntry.get(request);
    const title = look.title ?? workspace.name;
    const { html, styleSource } = renderDocument({
      title,
      language: 'en',
      direction: 'ltr',
      style,
      head: [
        element('meta', { name: 'robots', content: 'noindex' }, []),
        element('script', { async: '', src: '/widget.js', 'data-token': request.params.public_token }, []),
      ],
      body: [
        element('main', {}, [
          element('h1', {}, [title]),
          element('p', {}, [
            'This page shows the widget as a page of your site would. Open it and ask a question.',
          ]),
        ]),
      ],
    });
    return reply
      .headers({
        'content-security-policy': pageContentSecurityPolicy(look, styleSource, { frames: "'self'" }),
        'referrer-policy': 'same-origin',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(html);
  });
}
