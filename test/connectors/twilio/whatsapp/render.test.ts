import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { render } from '../../../../connectors/twilio/whatsapp/render.ts';
import { plainReply } from '../../../helpers/models/plain-reply.ts';
import { longestReply } from '../../contract/longest-reply.ts';

const bodySchema = z.object({ body: z.string() });
const bodies = (text: string) =>
  render(plainReply({ text })).map(({ content }) => bodySchema.parse(content).body);

describe('an answer on WhatsApp', () => {
  test.each([
    ['**bold** and *italic* and ~~gone~~', '*bold* and _italic_ and ~gone~'],
    ['***both***', '_*both*_'],
    ['# Title\n\nText', '*Title*\n\nText'],
    ['Use `npm ci` now', 'Use `npm ci` now'],
    ['```js\nlet a;\n```', '```let a;```'],
    ['> said\n> so', '> said\n> so'],
    ['- one\n- two', '• one\n• two'],
    ['See [hours](https://a.example/h).', 'See hours (https://a.example/h).'],
    ['See <https://a.example/h>.', 'See https://a.example/h.'],
    ['in**side**words', 'insidewords'],
    ['**one  \ntwo**', '*one*\n*two*'],
    ['**5 * 3**', '5 * 3'],
  ])('renders %j as %j', (markdown, written) => {
    expect(bodies(markdown)).toEqual([written]);
  });

  test('that is unsure asks whether it helped', () => {
    const [part] = render(plainReply({ text: 'Thirty days.', offers: ['helped', 'human'], language: 'en' }));
    expect(part?.content).toEqual({
      body: 'Thirty days.\n\nDid that help? Write “That helped”. If not, ask to speak to a person.',
    });
  });

  test('lists its sources', () => {
    const sources = [{ title: 'Returns', url: 'https://a.example/returns' }];
    expect(render(plainReply({ text: 'Thirty days.', sources }))).toEqual([
      { content: { body: 'Thirty days.\n\n🔗 Returns (https://a.example/returns)' } },
    ]);
  });

  test('is split at 1,600 characters, and code stays code in each part', () => {
    const parts = render(longestReply).map(({ content }) => bodySchema.parse(content).body);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(1_600);
      expect((part.match(/```/g) ?? []).length % 2).toBe(0);
    }
  });
});
