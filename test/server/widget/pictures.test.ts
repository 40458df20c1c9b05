import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { picture, startMediaServer } from '../../helpers/models/providers/media-server.ts';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';
import { readEvents, textOf } from '../../helpers/servers/questions/read-events.ts';

const models = await startMediaServer();
const server = await openWidgetServer({ runtime: { environment: models.environment } });
const shop = await server.openShop({ attachments: true });

beforeEach(() => {
  models.replies.description = 'How many working days until parcels arrive?';
});

async function show(query = '') {
  const session = await shop.openSession();
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(picture)]), 'pot.png');
  const headers = { authorization: `Bearer ${session}` };
  const handedIn = await fetch(`${shop.base}/files`, { method: 'POST', headers, body });
  const { id } = z.object({ id: z.string() }).parse(await handedIn.json());
  const response = await shop.send('/ask', {
    method: 'POST',
    session,
    body: { files: [id], query },
  });
  const frames = [];
  if (response.body !== null) for await (const frame of readEvents(response.body)) frames.push(frame);
  return textOf(frames);
}

test('a picture in the widget is answered by what it shows', async () => {
  const said = await show();
  expect(said).toContain('three working days');
  expect(said).not.toContain('cannot read');
  expect(models.seen).toHaveLength(1);
});

test('a picture that no model can make out gets the sentence that it cannot be read', async () => {
  models.replies.description = 'NOTHING';
  expect(await show()).toContain('cannot read');
  models.replies.description = 500;
  expect(await show('How many working days until parcels arrive?')).toContain('cannot read');
});
