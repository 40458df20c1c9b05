import { Api } from './conversation/api.ts';
import { startConversation } from './conversation/start-conversation.ts';
import type { Look } from './types.ts';
import { trackViewport } from './view/focus.ts';

const longest = 4_000;

/** Takes the page over that the server wrote, which works without this too: nothing of it is lost. */
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
  const written = place.querySelector('textarea');
  const draft = written?.value ?? '';
  const address = new URL(location.href);
  const question = address.searchParams.get('q')?.trim();
  const isAsked = Boolean(question) && draft === written?.defaultValue;
  const told = place.querySelector('.notice')?.textContent;
  const isTouched = document.activeElement !== document.body;
  place.replaceChildren(view.element);
  trackViewport(place);
  if (told) view.setNotice(told);
  if (isTouched || matchMedia('(pointer: fine)').matches) view.input.focus({ preventScroll: true });
  const see = () => conversation.seen(!document.hidden);
  document.addEventListener('visibilitychange', see);
  see();
  // Loaded again, the page asks and writes nothing a second time.
  for (const name of ['q', 'draft']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
  if (!question || !isAsked) return view.write(draft);
  conversation.ask(question.slice(0, longest));
}

const place = document.getElementById('chat');
if (place?.dataset.look !== undefined) void begin(place, JSON.parse(place.dataset.look));
