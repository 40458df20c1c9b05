import { z } from 'zod';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { assetCache } from '../assets.ts';
import { chatEntry, widgetParamsSchema } from '../chat-entry.ts';
import { presentLook } from '../look.ts';
import { chooseTexts, languages } from '../texts/choose-texts.ts';

const getConfigSchema = {
  tags: ['Widget'],
  security: [],
  params: widgetParamsSchema,
  summary: 'How the widget presents itself',
  operationId: 'getWidget',
  description: 'Returns the title, colours, texts and options of the widget. Needs only the public token.',
  querystring: z.object({
    lang: z.string().default('en').meta({
      description: 'The languages that the page wants, such as `de-AT,en`: the first that there is.',
    }),
  }),
  response: {
    200: z
      .object({
        title: z.string(),
        greeting: z.string(),
        accent: z.object({ colour: z.string(), text: z.string(), light: z.string(), dark: z.string() }).meta({
          description: 'The colour, what can be read on it, and what can be read of it on light and dark.',
        }),
        logo_url: z.string().nullable(),
        suggestions: z.array(z.string()),
        choice: z
          .boolean()
          .meta({ description: 'Whether to ask first if the assistant or a person is wanted.' }),
        attachments: z
          .object({ types: z.array(z.string()), max_bytes: z.int(), max_files: z.int() })
          .nullable()
          .meta({ description: 'What may be sent along; null where nothing may.' }),
        theme: z.enum(['auto', 'light', 'dark']),
        position: z.enum(['left', 'right']),
        language: z.string(),
        languages: z.array(z.string()),
        direction: z.enum(['ltr', 'rtl']),
        texts: z.record(z.string(), z.string()),
        script: z.string().meta({ description: 'The path of the script of the open chat.' }),
      })
      .meta({ id: 'WidgetLook' }),
    ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
  },
};

/** `GET …/config`. */
export function getConfig(app: TypedApp): void {
  app.get('/config', { schema: getConfigSchema }, async (request, reply) => {
    const { look, workspace } = chatEntry.get(request);
    const chosen = chooseTexts(request.query.lang.split(','));
    const { chat } = await assetCache.get();
    reply.header('cache-control', 'public, max-age=60');
    return {
      ...presentLook({ look, workspace, chosen }),
      languages: [...languages],
      script: `/widget/assets/${chat.name}`,
    };
  });
}
