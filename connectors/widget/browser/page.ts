import { Api } from './api.ts';
import { ChatView } from './chat-view.ts';
import { Conversation } from './conversation.ts';
import type { Look } from './types.ts';

/** Takes the page over that the server wrote, which works without this too. */
function begin(place: HTMLElement, look: Look): void {
  const api = new Api({
    base: `/c/${place.dataset.slug}`,
    sessions: null,
    language: look.language,
    isKnown: place.dataset.known === 'yes',
  });
  const view = new ChatView(look, {
    say: (text, files) => conversation.ask(text, files),
    handIn: (file) => api.handIn(file),
    human: () => conversation.human(),
    older: () => void conversation.older(),
    judge: (message_id, value, comment) => api.post('/feedback', { message_id, value, comment }),
    leaveContact: (email) => api.post('/contact', { email }),
    close: null,
  });
  const conversation = new Conversation({
    api,
    look,
    view,
    emit: () => {},
    changed({ unread }) {
      document.title = unread > 0 && document.hidden ? `(${unread}) ${look.title}` : look.title;
    },
  });
  const isTouched = document.activeElement !== document.body;
  place.replaceChildren(view.element);
  if (isTouched || matchMedia('(pointer: fine)').matches) view.input.focus({ preventScroll: true });
  document.addEventListener('visibilitychange', () => conversation.seen(!document.hidden));
  void conversation.load().then(() => {
    conversation.seen(!document.hidden);
    const question = new URLSearchParams(location.search).get('q')?.trim();
    if (!question) return;
    history.replaceState(null, '', location.pathname);
    conversation.ask(question.slice(0, 4_000));
  });
}

const place = document.getElementById('chat');
if (place?.dataset.look !== undefined) begin(place, JSON.parse(place.dataset.look));
