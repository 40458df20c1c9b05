/**
 * Runs in a preview of the dashboard, before the widget or the script of the hosted page. It answers their calls itself, so
 * that a preview stores and counts nothing and asks no model. The policy of the page forbids real calls.
 */
import type { Frame, History } from './types.ts';

const { look = '{}', say = '' } = document.documentElement.dataset;
const nothingSaid: History = {
  status: 'open',
  agent: null,
  unread: 0,
  answering: false,
  messages: [],
  rating: null,
  pagination: { next_cursor: null },
};
let answers = 0;

function reply(path: string, body: RequestInit['body']): Response {
  if (path.endsWith('/config')) return new Response(look);
  if (path.endsWith('/session')) return json({ session: 'preview' });
  if (path.endsWith('/messages')) return json(nothingSaid);
  if (path.endsWith('/ask') || path.endsWith('/human')) return answer();
  const file = body instanceof FormData ? body.get('file') : null;
  if (file instanceof File) return json({ id: 'preview', name: file.name });
  return new Response(null, { status: 204 });
}

function json(value: object): Response {
  return new Response(JSON.stringify(value));
}

function answer(): Response {
  answers += 1;
  const frames: Frame[] = [{ token: say }, { done: true, message_id: `preview-${answers}` }];
  return new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''));
}

window.fetch = async (input, init) =>
  reply(new URL(input instanceof Request ? input.url : input, location.href).pathname, init?.body);

try {
  localStorage.removeItem('parley:preview');
} catch {
  // Storage is forbidden here, so nothing is left in it.
}

// A preview that loads takes the focus from nobody who writes in the form beside it.
const { focus } = HTMLElement.prototype;
let isUsed = false;
const use = () => {
  isUsed = true;
};
for (const name of ['pointerdown', 'keydown']) addEventListener(name, use, { capture: true });
HTMLElement.prototype.focus = function (options) {
  if (isUsed) focus.call(this, options);
};

const tellReady = () => parent.postMessage('parley:preview', location.origin);
window.Parley = Object.assign(() => {}, { q: [['on', 'open', tellReady], ['open']] });
// The script of the page is a module, so it runs before this event, and draws the conversation then or soon after.
document.addEventListener('DOMContentLoaded', () => {
  const page = document.getElementById('chat');
  if (page?.firstChild) tellReady();
  else if (page !== null) new MutationObserver(tellReady).observe(page, { childList: true });
});
