import { z } from 'zod';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { loadWidgetAssets } from '../assets.ts';
import { chatEntry, widgetParamsSchema } from '../chat-entry.ts';
import { presentLook } from '../look.ts';
import { chooseTexts, languages } from '../texts/choose-texts.ts';

const getConfigSchema = {
  tags: ['Widget'],
  security: [],
  params: widgetParamsSchema,
  summary: 'Get the appearance of the widget',
  operationId: 'getWidget',
  description: 'Returns the title, colours, texts and options of the widget. Needs only the public token.',
  querystring: z.object({
    lang: z.string().default('en').meta({
      description:
        'The preferred languages of the page, such as `de-AT,en`. The first supported one is used.',
    }),
  }),
  response: {
    200: z
      .object({
        title: z.string(),
        greeting: z.string(),
        disclosure: z.string().nullable().meta({
          description:
            'The line at the top that says that a machine answers. Null if the workspace does not show it.',
        }),
        accent: z.object({ colour: z.string(), text: z.string(), light: z.string(), dark: z.string() }).meta({
          description:
            'The accent colour, a readable text colour on it, and its readable variants on light and dark backgrounds.',
        }),
        logo_url: z.string().nullable(),
        suggestions: z.array(z.string()),
        choice: z
          .boolean()
          .meta({ description: 'true if the visitor first chooses between the assistant and an agent.' }),
        attachments: z
          .object({ types: z.array(z.string()), max_bytes: z.int(), max_files: z.int() })
          .nullable()
          .meta({ description: 'The limits of attachments. Null if attachments are disabled.' }),
        theme: z.enum(['auto', 'light', 'dark']),
        position: z.enum(['left', 'right']),
        language: z.string(),
        languages: z.array(z.string()),
        direction: z.enum(['ltr', 'rtl']),
        texts: z.record(z.string(), z.string()),
        script: z.string().meta({ description: 'The path of the script that displays the chat.' }),
      })
      .meta({ id: 'WidgetLook' }),
    ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
  },
};

export function getConfig(app: TypedApp): void {
  app.get('/config', { schema: getConfigSchema }, async (request, reply) => {
    const { look, workspace } = chatEntry.get(request);
    const chosen = chooseTexts(request.query.lang.split(','));
    const { chat } = await loadWidgetAssets();
    reply.header('cache-control', 'public, max-age=60');
    return {
      ...presentLook({ look, workspace, chosen }),
      languages: [...languages],
      script: `/widget/assets/${chat.name}`,
    };
  });
}
