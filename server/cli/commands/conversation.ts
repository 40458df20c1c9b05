import { z } from 'zod';
import { type CommandLine, createCommand, parseWholeNumber } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { formatTime, type Output } from '../output.ts';
import { withTemporaryKey } from '../temporary-key.ts';

const conversationItem = z.looseObject({
  id: z.string(),
  channel: z.string(),
  status: z.string(),
  message_count: z.number(),
  last_message_at: z.string(),
  customer: z.looseObject({ email: z.string().nullable(), name: z.string().nullable() }),
});

export function conversationList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the conversations of a workspace',
    about:
      'Lists the conversations, latest activity first. It reads them with a temporary key that is revoked afterwards.',
    examples: [
      ['conversation list --status escalated', 'those that wait for a person'],
      ['conversation list --workspace Shop --limit 100 --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .option('--status <status>', 'open, claimed, escalated, snoozed, resolved or archived')
    .option('--limit <number>', '1 to 100, default 20', parseWholeNumber)
    .action(({ workspace, status, limit = 20, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const workspaceId = await findWorkspace(api, workspace);
          const query = new URLSearchParams({
            workspace_id: workspaceId,
            limit: `${limit}`,
            ...(status !== undefined && { status }),
          });
          const response = await withTemporaryKey(api, workspaceId, (token) =>
            api.call('GET', `/v1/conversations?${query}`, { token }),
          );
          const { conversations } = z.object({ conversations: z.array(conversationItem) }).parse(response);
          output.result({ conversations }, () => {
            if (conversations.length === 0) {
              output.line('No conversation fits.');
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'CHANNEL', cell: ({ channel }) => channel },
                { heading: 'STATUS', cell: (conversation) => conversation.status },
                { heading: 'MESSAGES', cell: ({ message_count }) => message_count },
                { heading: 'LATEST', cell: ({ last_message_at }) => formatTime(last_message_at) },
                {
                  heading: 'CUSTOMER',
                  cell: ({ customer }) => customer.name ?? customer.email ?? '',
                  flexible: true,
                },
              ],
              conversations,
            );
          });
        },
      }),
    );
}

const conversationView = conversationItem.extend({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.string(),
      created_at: z.string(),
      author: z.string().nullish(),
    }),
  ),
  internal_notes: z.array(z.looseObject({ author: z.string(), content: z.string(), created_at: z.string() })),
});

export function conversationShow(commandLine: CommandLine) {
  return createCommand('show', {
    summary: 'show a conversation with its messages',
    about:
      'Prints the messages and the notes of a conversation. It reads them with a temporary key that is revoked afterwards.',
    examples: [
      ['conversation show conv_01k9', 'in the only workspace'],
      ['conversation show conv_01k9 --json', 'as JSON, with sources and changes'],
    ],
    failure: 'the command failed, for example because the conversation does not exist',
  })
    .argument('<id>', 'id of the conversation, from conversation list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const workspaceId = await findWorkspace(api, workspace);
          const response = await withTemporaryKey(api, workspaceId, (token) =>
            api.call('GET', `/v1/conversations/${encodeURIComponent(id)}`, { token }),
          );
          const view = conversationView.parse(response);
          output.result(view, () => printConversation(view, output));
        },
      }),
    );
}

function printConversation(view: z.output<typeof conversationView>, output: Output): void {
  const { id, channel, status, customer, messages, internal_notes: notes } = view;
  output.record({ id, channel, status, customer: customer.name ?? customer.email });
  for (const { role, author, created_at, content } of messages) {
    output.line();
    output.line(output.strong(`${author ?? role}, ${formatTime(created_at)}`));
    output.text(content);
  }
  for (const { author, created_at, content } of notes) {
    output.line();
    output.line(output.strong(`Note of ${author}, ${formatTime(created_at)}`));
    output.text(content);
  }
}

const replyResponse = z.looseObject({
  id: z.string(),
  delivery: z.looseObject({ status: z.string() }).nullable(),
});

export function conversationReply(commandLine: CommandLine) {
  return createCommand('reply', {
    summary: 'reply to a visitor as an agent',
    about:
      'Sends a reply through the channel of the conversation. The first reply assigns the conversation to the agent: the engine no longer answers in it until it is resolved or reopened.',
    examples: [
      [
        'conversation reply conv_01k9 "Your parcel is on its way." --as ann@acme.example',
        'in the only workspace',
      ],
      [
        'conversation reply conv_01k9 "Done." --as ann@acme.example --workspace Shop',
        'in one of several workspaces',
      ],
    ],
    failure: 'the command failed; nothing was sent',
  })
    .argument('<id>', 'id of the conversation, from conversation list')
    .argument('<text>', 'the reply in Markdown, at most 4,000 characters')
    .requiredOption('--as <email>', 'address of the agent who replies')
    .option(...workspaceOption)
    .action((id, content, { as: author_email, workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          if (content.trim() === '') throw new CommandError('The reply is empty.', { code: 'missing_field' });
          const base = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/conversations`;
          const path = `${base}/${encodeURIComponent(id)}/reply`;
          const reply = replyResponse.parse(
            await api.call('POST', path, { body: { content, author_email } }),
          );
          output.result(reply, () =>
            output.line(
              reply.delivery === null
                ? 'Stored. This conversation has no channel.'
                : `Reply ${reply.delivery.status}.`,
            ),
          );
        },
      }),
    );
}

const sessionsResponse = z.object({ ended: z.int() });

export function conversationLogOut(commandLine: CommandLine) {
  return createCommand('log-out', {
    summary: "end the sessions of a conversation's visitor",
    about: [
      'Ends the sessions of a visitor in the widget and on the hosted page, on all devices. The messages can no longer be',
      'read there and stay in the inbox.',
    ].join(' '),
    examples: [
      ['conversation log-out conv_01k9', 'in the only workspace'],
      ['conversation log-out conv_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the conversation does not exist',
  })
    .argument('<id>', 'id of the conversation, from conversation list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/conversations`;
          const { ended } = sessionsResponse.parse(
            await api.call('DELETE', `${path}/${encodeURIComponent(id)}/sessions`),
          );
          output.result({ id, ended }, () =>
            output.line(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`),
          );
        },
      }),
    );
}
