import { z } from 'zod';
import type { Channel } from '../../core/contract/connector.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { parseWebLink } from './http.ts';

const text = (max: number) => z.string().trim().min(1).max(max);

/** Settings for the appearance of the widget and of the hosted page. */
export const chatAppearance = z.object({
  title: text(60).optional().describe('Title above the conversation. Defaults to the name of the workspace.'),
  greeting: text(500)
    .optional()
    .describe("First message of the conversation. Defaults to a greeting in the visitor's language."),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Write the colour as #rrggbb, for example #3654d6.')
    .optional()
    .describe("Colour of the buttons and of the visitor's messages, for example #3654d6."),
  logo_url: z
    .string()
    .refine(isLogoAddress, 'The logo must be an https address without a user name or password.')
    .optional()
    .describe('The https address of a square image.'),
  suggestions: z
    .array(text(120))
    .max(6)
    .optional()
    .describe('Suggested questions, shown as buttons. At most six.'),
  choice_at_start: z
    .boolean()
    .optional()
    .describe('Whether visitors choose between the assistant and a person before they write.'),
  attachments: z.boolean().optional().describe('Whether visitors can attach images, PDF and text files.'),
  theme: z
    .enum(['auto', 'light', 'dark'])
    .optional()
    .describe("Colour theme. Defaults to the visitor's system setting."),
});

/** The address is sent to visitors' browsers, so it must not contain credentials. */
function isLogoAddress(address: string): boolean {
  const link = parseWebLink(address);
  if (link === null) return false;
  const { protocol, username, password } = new URL(link);
  return protocol === 'https:' && username === '' && password === '';
}

/** A channel whose visitors talk to this server directly, without a platform. */
export const firstPartyChannel: Channel = {
  intake: 'none',
  webhook: null,
  listen: null,
  probe: async () => ({}),
  normalise: () => [{ type: 'unsupported', nativeType: 'none' }],
  render: ({ text }) => [{ content: text }],
  async deliver() {
    throw new ConnectorError(
      'Visitors of this channel fetch messages themselves. Nothing can be sent to them.',
      {
        advice: { retry: 'never' },
      },
    );
  },
  budgets: () => [],
};
