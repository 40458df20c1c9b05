import type { FastifyReply } from 'fastify';
import type { visitorChannels } from '../../core/contract/conversation-values.ts';
import { type Element, element, renderDocument } from '../pages/html.ts';
import { loadWidgetAssets } from '../widget/assets.ts';
import { type Look, presentLook } from '../widget/look.ts';
import type { ChosenTexts } from '../widget/texts/choose-texts.ts';
import { accentStyle, pageContentSecurityPolicy } from './send-page.ts';

interface Preview {
  readonly kind: (typeof visitorChannels)[number];
  readonly look: Look;
  readonly workspace: Parameters<typeof presentLook>[0]['workspace'];
  readonly chosen: ChosenTexts;
  /** The answer to every question. */
  readonly say: string;
}

/** The token by which the widget of a preview calls. `preview.ts` answers in the place of a server. */
const previewToken = 'preview';

/** A page of a shop, in outline. */
const siteStyle = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;background:light-dark(#fff,#14171b)}
i{display:block;height:14px;margin:20px 24px;border-radius:7px;background:light-dark(#eceef1,#252a31)}
i:first-child{height:96px}i:nth-child(3n){width:55%}
`;

/**
 * Sends a page with the real widget or the script of the real hosted page, in a look that is not stored. Only pages of this
 * server may frame it, and its scripts may call nobody.
 */
export async function sendPreviewPage(
  reply: FastifyReply,
  { kind, look, workspace, chosen, say }: Preview,
): Promise<FastifyReply> {
  const { preview, page, style, chat } = await loadWidgetAssets();
  const presented = presentLook({ look, workspace, chosen });
  const scripts: Readonly<Record<Preview['kind'], readonly Element[]>> = {
    widget: [element('script', { async: '', src: '/widget.js', 'data-token': previewToken }, [])],
    hosted: [
      element('link', { rel: 'stylesheet', href: assetAddress(style.name) }, []),
      element('script', { type: 'module', src: assetAddress(page.name) }, []),
    ],
  };
  const bodies: Readonly<Record<Preview['kind'], readonly Element[]>> = {
    widget: [
      element(
        'div',
        { 'aria-hidden': 'true' },
        Array.from({ length: 8 }, () => element('i', {}, [])),
      ),
    ],
    hosted: [
      element(
        'main',
        { id: 'chat', 'data-known': 'no', 'data-slug': previewToken, 'data-look': JSON.stringify(presented) },
        [],
      ),
    ],
  };
  const { html, styleSource } = renderDocument({
    title: presented.title,
    language: chosen.language,
    direction: chosen.direction,
    attributes: {
      'data-theme': look.theme,
      'data-look': JSON.stringify({ ...presented, script: assetAddress(chat.name) }),
      'data-say': say,
    },
    style: kind === 'widget' ? siteStyle : accentStyle(look.colour),
    head: [
      element('meta', { name: 'robots', content: 'noindex' }, []),
      element('script', { src: assetAddress(preview.name) }, []),
      ...scripts[kind],
    ],
    body: bodies[kind],
  });
  return reply
    .headers({
      'content-security-policy': pageContentSecurityPolicy(look, styleSource, {
        frames: "'self'",
        calls: "'none'",
      }),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}

function assetAddress(name: string): string {
  return `/widget/assets/${name}`;
}
