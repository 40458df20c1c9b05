import { z } from 'zod';
import type { Connector } from '../../core/contract/connector.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { parseWebLink } from './http.ts';

const text = (max: number) => z.string().trim().min(1).max(max);

/** How a chat of our own presents itself to visitors. */
export const chatAppearance = z.object({
  title: text(60)
    .optional()
    .describe('What stands above the conversation; the name of the workspace unless said.'),
  greeting: text(500)
    .optional()
    .describe('What is said first; a sentence in the language of the visitor unless said.'),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'A colour is written like #3654d6.')
    .optional()
    .describe('The colour of buttons and of what the visitor says, like #3654d6.'),
  logo_url: z
    .string()
    .refine(isLogoAddress, 'A logo has an https address without a user name or password.')
    .optional()
    .describe('The https address of a square picture.'),
  suggestions: z.array(text(120)).max(6).optional().describe('Questions to press, at most six.'),
  choice_at_start: z
    .boolean()
    .optional()
    .describe('Whether a visitor is asked first if he wants the assistant or a person.'),
  attachments: z
    .boolean()
    .optional()
    .describe('Whether visitors may send pictures, PDF and text files along.'),
  theme: z.enum(['auto', 'light', 'dark']).optional().describe("The visitor's own choice unless said."),
});

/** Visitors' browsers are told the address: credentials in it would be public. */
function isLogoAddress(address: string): boolean {
  const link = parseWebLink(address);
  if (link === null) return false;
  const { protocol, username, password } = new URL(link);
  return protocol === 'https:' && username === '' && password === '';
}

/** What a channel is whose visitors speak with a server of ours themselves. */
export function firstPartyChannel<Settings>(): Omit<Connector<object, Settings>, 'manifest'> {
  return {
    intakeOf: () => 'none',
    webhook: null,
    listen: null,
    probe: async () => ({}),
    normalise: () => [{ type: 'unsupported', nativeType: 'none' }],
    render: ({ text }) => [{ content: text }],
    async deliver() {
      throw new ConnectorError('Visitors of this channel fetch what is said themselves.', {
        advice: { retry: 'never' },
      });
    },
    budgets: () => [],
    facets: {},
  };
}
