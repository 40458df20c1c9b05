import { z } from 'zod';
import { type CommandLine, createCommand, parseTags } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime } from '../output.ts';
import { listAll } from '../transports/operator-api.ts';

const webhookItem = z.looseObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  created_at: z.string(),
});

export function webhookList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the webhooks of a workspace',
    about: 'Lists the webhooks, newest first, without their secrets.',
    examples: [
      ['webhook list', 'in the only workspace'],
      ['webhook list --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .action(({ workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/webhooks`;
          const webhooks = await listAll(api, path, { name: 'webhooks', item: webhookItem });
          output.result({ webhooks }, () => {
            if (webhooks.length === 0) {
              output.line('This workspace has no webhooks. Add one: npm run parley -- webhook add URL');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'URL', cell: ({ url }) => url, flexible: true },
                { heading: 'EVENTS', cell: ({ events }) => events.join(', '), flexible: true },
                { heading: 'STATE', cell: ({ enabled }) => (enabled ? 'on' : 'off') },
                { heading: 'CREATED', cell: ({ created_at }) => formatTime(created_at) },
              ],
              webhooks,
            );
          });
        },
      }),
    );
}

export function webhookAdd(commandLine: CommandLine) {
  return createCommand('add', {
    summary: 'add a webhook',
    about:
      'Posts events of the workspace to a URL, signed as in Standard Webhooks. The signing secret is shown only once.',
    examples: [
      ['webhook add https://example.com/hooks', 'for all events'],
      [
        'webhook add https://example.com/hooks --event conversation.escalated,answer.low_confidence',
        'for some events',
      ],
    ],
    failure: 'the command failed; no webhook was added',
  })
    .argument('<url>', 'http or https URL that events are posted to')
    .option(...workspaceOption)
    .option('--event <types>', 'comma-separated event types; default: all', parseTags)
    .action((url, { workspace, event, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/webhooks`;
          const body = { url, events: event ?? ['*'] };
          const webhook = z.looseObject({}).parse(await api.call('POST', path, { body }));
          output.result(webhook, () => output.record(webhook));
          output.note('Store the secret now. It is not shown again.');
        },
      }),
    );
}

export function webhookRemove(commandLine: CommandLine) {
  return createCommand('remove', {
    summary: 'remove a webhook',
    about: 'Removes a webhook and its pending deliveries. This cannot be undone.',
    examples: [
      ['webhook remove hook_01k9', 'in the only workspace'],
      ['webhook remove hook_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the webhook does not exist',
  })
    .argument('<webhook-id>', 'id of the webhook, from webhook list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/webhooks`;
          await api.call('DELETE', `${path}/${encodeURIComponent(id)}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${id}.`));
        },
      }),
    );
}

const deliveryItem = z.looseObject({
  id: z.string(),
  event: z.string(),
  status: z.string(),
  attempts: z.number(),
  created_at: z.string(),
});

export function webhookDeliveries(commandLine: CommandLine) {
  return createCommand('deliveries', {
    summary: 'list the deliveries of a webhook',
    about: 'Lists the pending deliveries and those of the last week, newest first.',
    examples: [
      ['webhook deliveries hook_01k9', 'in the only workspace'],
      ['webhook deliveries hook_01k9 --json', 'as JSON, with the responses of the receiver'],
    ],
    failure: 'the command failed, for example because the webhook does not exist',
  })
    .argument('<webhook-id>', 'id of the webhook, from webhook list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const base = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/webhooks`;
          const path = `${base}/${encodeURIComponent(id)}/deliveries`;
          const deliveries = await listAll(api, path, { name: 'deliveries', item: deliveryItem });
          output.result({ deliveries }, () => {
            if (deliveries.length === 0) {
              output.line('Nothing was delivered in the last week, and nothing waits.');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: (delivery) => delivery.id },
                { heading: 'EVENT', cell: ({ event }) => event },
                { heading: 'STATE', cell: ({ status }) => status },
                { heading: 'ATTEMPTS', cell: ({ attempts }) => attempts },
                { heading: 'CREATED', cell: ({ created_at }) => formatTime(created_at) },
              ],
              deliveries,
            );
          });
        },
      }),
    );
}

export function webhookReplay(commandLine: CommandLine) {
  return createCommand('replay', {
    summary: 'send a delivery again',
    about: 'Sends a delivery again at once, with the same id, even if it was delivered before.',
    examples: [
      ['webhook replay hook_01k9 evt_01k9', 'in the only workspace'],
      ['webhook replay hook_01k9 evt_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the webhook is disabled',
  })
    .argument('<webhook-id>', 'id of the webhook, from webhook list')
    .argument('<delivery-id>', 'id of the delivery, from webhook deliveries')
    .option(...workspaceOption)
    .action((id, deliveryId, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const base = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/webhooks`;
          const path = `${base}/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/replay`;
          const delivery = deliveryItem.parse(await api.call('POST', path));
          output.result(delivery, () => output.line(`${delivery.id} is being sent again.`));
        },
      }),
    );
}
