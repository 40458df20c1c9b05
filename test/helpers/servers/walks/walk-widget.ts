import { expect } from 'vitest';
import { z } from 'zod';
import type { ApiClient } from './api-client.ts';

const channels = '/admin/v1/workspaces/{workspace_id}/channels';
const frames = z.array(
  z.looseObject({
    done: z.boolean().optional(),
    message_id: z.string().optional(),
    conversation_id: z.string().optional(),
  }),
);

interface Callers {
  readonly operator: ApiClient;
  readonly anybody: ApiClient;
  readonly integrator: (token: string) => ApiClient;
}

/** Acts as a visitor of a widget, from the first look to the end of their session. */
export async function walkWidget(
  { operator, anybody, integrator }: Callers,
  workspace_id: string,
): Promise<void> {
  const made = await operator.POST(channels, {
    params: { path: { workspace_id } },
    body: { channel: 'widget', settings: { title: 'Pots?', attachments: true } },
  });
  const preview = await operator.POST(`${channels}/{chan_id}/preview`, {
    params: { path: { workspace_id, chan_id: made.data?.id ?? '' } },
    body: { settings: { title: 'Vases?' }, page: 'pots.example' },
  });
  expect(preview.data?.embedding).toMatchObject({ allowed: false, origin: 'https://pots.example' });
  const workspace = await operator.GET('/admin/v1/workspaces/{workspace_id}', {
    params: { path: { workspace_id } },
  });
  const path = { public_token: workspace.data?.public_token ?? '' };
  const look = await anybody.GET('/widget/{public_token}/config', {
    params: { path, query: { lang: 'nl' } },
  });
  expect(look.data).toMatchObject({ title: 'Pots?', language: 'nl' });
  const opened = await anybody.POST('/widget/{public_token}/session', { params: { path }, body: {} });
  const visitor = integrator(opened.data?.session ?? '');
  const handIn = () =>
    visitor.POST('/widget/{public_token}/files', {
      params: { path },
      body: { file: 'The pot that came is broken.' },
      bodySerializer({ file }) {
        const form = new FormData();
        form.set('file', new Blob([file]), 'pot.txt');
        return form;
      },
    });
  const [handedIn, unsent] = [await handIn(), await handIn()];
  const takenBack = await visitor.DELETE('/widget/{public_token}/files/{file_id}', {
    params: { path: { ...path, file_id: unsent.data?.id ?? '' } },
  });
  expect(takenBack.response.status).toBe(204);
  expect(handedIn.data).toMatchObject({ name: 'pot.txt', content_type: 'text/plain' });
  const asked = await visitor.POST('/widget/{public_token}/ask', {
    params: { path },
    body: {
      query: 'How long do parcels to Norway take?',
      files: [handedIn.data?.id ?? ''],
      metadata: { page_url: 'https://pots.example/' },
    },
    parseAs: 'text',
  });
  const { message_id = '', conversation_id: conv_id = '' } = framesOf(asked.data).at(-1) ?? {};
  const judged = await visitor.POST('/widget/{public_token}/feedback', {
    params: { path },
    body: { message_id, value: 'up' },
  });
  expect(judged.response.status).toBe(204);
  const human = await visitor.POST('/widget/{public_token}/human', {
    params: { path },
    body: { query: 'I would like to talk to a person.' },
    parseAs: 'text',
  });
  expect(framesOf(human.data).at(-1)?.done).toBe(true);
  const left = await visitor.POST('/widget/{public_token}/contact', {
    params: { path },
    body: { email: 'ada@pots.example' },
  });
  expect(left.response.status).toBe(204);
  const rated = await visitor.POST('/widget/{public_token}/rating', { params: { path }, body: { score: 5 } });
  expect(rated.response.status).toBe(409);
  expect((await visitor.POST('/widget/{public_token}/read', { params: { path } })).response.status).toBe(204);
  const typed = await visitor.POST('/widget/{public_token}/typing', { params: { path } });
  expect(typed.response.status).toBe(204);
  const said = await visitor.GET('/widget/{public_token}/messages', {
    params: { path, query: { limit: 2 } },
  });
  expect(said.data).toMatchObject({ status: 'waiting', pagination: { has_more: true } });
  await hearNews(visitor, path);
  await hearAsAgent(operator, { workspace_id, conv_id });
  const closed = await visitor.DELETE('/widget/{public_token}/session', { params: { path } });
  expect(closed.response.status).toBe(204);
  const sessions = await operator.DELETE(
    '/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/sessions',
    { params: { path: { workspace_id, conv_id } } },
  );
  expect(sessions.data).toEqual({ ended: 0 });
}

async function hearNews(visitor: ApiClient, path: { readonly public_token: string }): Promise<void> {
  const heard = await visitor.GET('/widget/{public_token}/events', {
    params: { path, query: { seconds: 1 } },
    parseAs: 'text',
  });
  expect(heard.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(String(heard.data)).toContain('"event":"state"');
}

async function hearAsAgent(
  operator: ApiClient,
  { workspace_id, conv_id }: { readonly workspace_id: string; readonly conv_id: string },
): Promise<void> {
  const at = '/admin/v1/workspaces/{workspace_id}';
  const looked = await operator.PUT(`${at}/conversations/{conv_id}/presence`, {
    params: { path: { workspace_id, conv_id } },
    body: { doing: 'viewing' },
  });
  expect(looked.response.status).toBe(204);
  const heard = await operator.GET(`${at}/events`, {
    params: { path: { workspace_id }, query: { seconds: 1 } },
    parseAs: 'text',
  });
  expect(heard.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(String(heard.data)).toContain('"event":"hello"');
}

function framesOf(text: unknown) {
  const events = String(text).trim().split('\n\n');
  return frames.parse(events.map((event) => JSON.parse(event.slice('data: '.length))));
}
