import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { mergeFields, parseFields } from '../../../core/base/fields.ts';
import { requireConnector } from '../../../core/channels/connector-registry.ts';
import { isVisitorChannel, visitorChannels } from '../../../core/contract/conversation-values.ts';
import type { ChannelServices } from '../../../core/runtime/open-channels.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { sendPreviewPage } from '../../hosted/preview-page.ts';
import { publicBaseUrl } from '../../nlweb/public-workspace.ts';
import { needs } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { parseLook } from '../../widget/look.ts';
import { judgePage, pageReasons } from '../../widget/origin.ts';
import { chooseTexts, languages } from '../../widget/texts/choose-texts.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { channelFieldsSchema, channelParamsSchema } from './schema.ts';

/** Registers the routes for previews of a widget or a hosted page with settings that are not stored. */
export function channelPreviewRoutes(app: TypedApp, runtime: Runtime): void {
  postPreview(app, runtime);
  getPreviewPage(app, runtime);
}

interface Settings {
  readonly [name: string]: unknown;
}

/**
 * Returns the kind of a channel, and its settings with changes that are not stored, checked as changes that are. Throws
 * `channel_not_found`, `unknown_channel` and `invalid_settings`.
 */
async function changedSettings(
  { channels, connectors }: ChannelServices,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  changes: Settings,
): Promise<{ readonly channel: string; readonly settings: Settings }> {
  const { channel, settings } = await channels.get(workspaceId, id);
  if (!isVisitorChannel(channel)) {
    throw new AppError('unknown_channel', { detail: 'Only a widget and a hosted page have a preview.' });
  }
  const { manifest } = requireConnector(connectors, channel);
  return { channel, settings: parseFields('settings', manifest.settings, mergeFields(settings, changes)) };
}

const postPreviewSchema = {
  ...operatorRoute,
  summary: 'Preview changed settings of a widget or hosted page',
  operationId: 'previewChannel',
  description:
    'Checks changed settings as `updateChannel` does, and stores nothing. Returns the addresses of two pages that show them, for frames of the dashboard: they need a session, store and count nothing and ask no model. With `page`, also answers whether that page may show the widget.',
  params: channelParamsSchema,
  body: z.object({
    settings: channelFieldsSchema.shape.settings.default({}),
    language: z.string().max(35).default('en').meta({ description: "The visitor's language." }),
    say: boundedString({ min: 0, max: 300 })
      .default('')
      .meta({ description: 'What the preview answers to every question.' }),
    page: boundedString({ min: 1, max: 2_000 }, z.string().trim())
      .optional()
      .meta({ description: 'A page or its domain, such as shop.example.' }),
  }),
  response: {
    200: z
      .object({
        frames: z
          .array(z.object({ kind: z.enum(visitorChannels), address: z.string() }))
          .meta({ description: 'The addresses of the preview as each kind of chat, the own kind first.' }),
        languages: z.array(z.string()),
        embedding: z
          .object({
            origin: z.string(),
            allowed: z.boolean(),
            reason: z.enum(pageReasons).meta({
              description:
                'own: a page of this installation. local: no domain is named, and the page is on the local machine. listed: `entry` covers it. not_listed: no entry covers it. none_listed: no domain is named. no_page: this is no address of a web page.',
            }),
            entry: z.string().nullable(),
            list: z.enum(['channel', 'workspace']).meta({ description: 'Where the list of domains is.' }),
          })
          .nullable()
          .meta({ description: 'Null without `page`.' }),
      })
      .meta({ id: 'ChannelPreview' }),
    ...errorResponses('workspace_not_found', 'channel_not_found', 'unknown_channel', 'invalid_settings'),
  },
};

function postPreview(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/channels/:chan_id/preview',
    { schema: postPreviewSchema, ...needs('channels:read') },
    async (request) => {
      const { id: workspaceId, settings: general } = requestWorkspace.get(request);
      const { language, say, page, settings: changes } = request.body;
      const place = { workspaceId, id: request.params.chan_id };
      const { channel, settings } = await changedSettings(runtime, place, changes);
      const { allowed_domains: own } = parseLook({ settings });
      // No frame shows them, and they may be long.
      const { allowed_domains: _, ...shown } = changes;
      const address = (kind: string) =>
        `/admin/v1/workspaces/${workspaceId}/channels/${place.id}/preview/${kind}?${new URLSearchParams({
          settings: Buffer.from(JSON.stringify(shown)).toString('base64url'),
          language,
          say,
        })}`;
      const domains = own ?? general.allowed_domains ?? [];
      const origin = page === undefined ? null : originOf(page);
      return {
        frames: visitorChannels
          .toSorted((one, other) => Number(other === channel) - Number(one === channel))
          .map((kind) => ({ kind, address: address(kind) })),
        languages: [...languages],
        embedding:
          origin === null
            ? null
            : {
                origin,
                ...judgePage(origin, domains, publicBaseUrl(runtime.config, request)),
                list: own === undefined ? ('workspace' as const) : ('channel' as const),
              },
      };
    },
  );
}

/** Returns the origin of a page, of which only the domain may be given. */
function originOf(page: string): string {
  const address = page.includes('://') ? page : `https://${page}`;
  return URL.parse(address)?.origin ?? page;
}

const previewPageSchema = {
  hide: true,
  params: channelParamsSchema.extend({ kind: z.enum(visitorChannels) }),
  querystring: z.object({
    settings: z.string().max(16_000),
    language: z.string().max(35),
    say: z.string().max(300),
  }),
};

/**
 * Sends the preview to a frame of the dashboard only: another site could otherwise lead a person to a text of its own on
 * this server.
 */
function getPreviewPage(app: TypedApp, runtime: Runtime): void {
  app.get(
    '/channels/:chan_id/preview/:kind',
    { schema: previewPageSchema, ...needs('channels:read') },
    async (request, reply) => {
      const { headers, params, query } = request;
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') throw new AppError('cross_site_request');
      const workspace = requestWorkspace.get(request);
      const place = { workspaceId: workspace.id, id: params.chan_id };
      const { settings } = await changedSettings(runtime, place, readSettings(query.settings));
      return sendPreviewPage(reply, {
        kind: params.kind,
        look: parseLook({ settings }),
        workspace,
        chosen: chooseTexts([query.language]),
        say: query.say,
      });
    },
  );
}

/** Throws `invalid_settings`. */
function readSettings(encoded: string): Settings {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
  } catch {
    throw new AppError('invalid_settings', { detail: 'settings are not readable.' });
  }
}
