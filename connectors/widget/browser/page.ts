import { Api } from './conversation/api.ts';
import { startConversation } from './conversation/start-conversation.ts';
import type { Look } from './types.ts';
import { trackViewport } from './view/focus.ts';

const maxQuestionChars = 4_000;

/** Replaces the page that the server rendered, which works without scripts, and keeps its draft, notice and focus. */
async function begin(place: HTMLElement, look: Look): Promise<void> {
  const api = new Api({
    base: `/c/${place.dataset.slug}`,
    sessions: null,
    language: look.language,
    isKnown: place.dataset.known === 'yes',
  });
  const { conversation, view } = startConversation(api, {
    look,
    emit: () => {},
    changed({ unread }) {
      document.title = unread > 0 && document.hidden ? `(${unread}) ${look.title}` : look.title;
    },
    close: null,
  });
  await conversation.load();
  const textarea = place.querySelector('textarea');
  const draft = textarea?.value ?? '';
  const address = new URL(location.href);
  const question = address.searchParams.get('q')?.trim();
  const shouldAsk = Boolean(question) && draft === textarea?.defaultValue;
  const notice = place.querySelector('.notice')?.textContent;
  const hasFocus = document.activeElement !== document.body;
  place.replaceChildren(view.element);
  trackViewport(place);
  if (notice) view.setNotice(notice);
  if (hasFocus || matchMedia('(pointer: fine)').matches) view.input.focus({ preventScroll: true });
  const reportVisibility = () => conversation.seen(!document.hidden);
  document.addEventListener('visibilitychange', reportVisibility);
  reportVisibility();
  // The parameters are removed, so that a reload does not repeat the question or the draft.
  for (const name of ['q', 'draft']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
  if (!question || !shouldAsk) return view.write(draft);
  conversation.ask(question.slice(0, maxQuestionChars));
}

const place = document.getElementById('chat');
if (place?.dataset.look !== undefined) void begin(place, JSON.parse(place.dataset.look));
