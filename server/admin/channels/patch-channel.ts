import { AppError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { publicBase } from '../../nlweb/public-base.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { channelFieldsSchema } from './channel-fields-schema.ts';
import { channelParamsSchema } from './channel-params-schema.ts';
import { channelSchema } from './channel-schema.ts';
import { presentChannel } from './present-channel.ts';

const schema = {
  ...operatorRoute,
  summary: 'Change a channel, or switch it on or off',
  operationId: 'updateChannel',
  description:
    'Merges `credentials` and `settings` into those there are, where null clears a field, and checks them with the platform again. `enabled: false` refuses what the platform sends.',
  params: channelParamsSchema,
  body: channelFieldsSchema.partial(),
  response: {
    200: channelSchema,
    ...errorResponses(
      'workspace_not_found',
      'channel_not_found',
      'unknown_channel',
      'channel_verification_failed',
      'slug_taken',
    ),
  },
};

/** `PATCH /admin/v1/workspaces/{workspace_id}/channels/{chan_id}`. */
export function patchChannel(app: TypedApp, { channels, config }: Runtime): void {
  app.patch('/channels/:chan_id', { schema }, async (request) => {
    const { body, params } = request;
    if (Object.keys(body).length === 0) {
      const detail = 'Nothing to change: give name, credentials, settings or enabled.';
      throw new AppError('missing_field', { detail });
    }
    const changed = await channels.change(addressedWorkspace.of(request).id, params.chan_id, body);
    return presentChannel(changed, publicBase(config, request));
  });
}
