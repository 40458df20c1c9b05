import { accentSheet } from './accent-sheet.ts';
import { Api } from './api.ts';
import { ChatView } from './chat-view.ts';
import { Conversation } from './conversation.ts';
import { h } from './dom.ts';
import { keepFocus } from './keep-focus.ts';
import { sameVisitor, visitorIn } from './same-visitor.ts';
import { KeptSession } from './session-store.ts';
import type { Chat, ChatHost, Identity } from './types.ts';

/** Puts the chat into the shadow of the page, closed. */
export function mount(host: ChatHost): Chat {
  const { look, root, emit } = host;
  const sessions = new KeptSession(host.token);
  const api = new Api({ base: `${host.base}/widget/${host.token}`, sessions, language: look.language });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CHAT_STYLE);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet, accentSheet(look.accent)];

  const view = new ChatView(look, {
    say: (text, files) => conversation.ask(text, files),
    handIn: (file) => api.handIn(file),
    human: () => conversation.human(),
    older: () => void conversation.older(),
    judge: (message_id, value, comment) => api.post('/feedback', { message_id, value, comment }),
    leaveContact: (email) => api.post('/contact', { email }),
    close: () => close(),
  });
  const panel = h(
    'section',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    view.element,
  );
  panel.dataset.position = look.position;
  root.append(panel);
  keepFocus(panel, () => close());

  const conversation = new Conversation({
    api,
    look,
    view,
    emit,
    changed(state) {
      sessions.keep({ watch: state.status === 'waiting' || state.status === 'person' });
      host.unread(state.unread);
    },
  });
  let loaded: Promise<void> | undefined;
  const load = () => (loaded ??= conversation.load());
  let identity: Identity | null = null;
  if (sessions.kept.watch === true) void load();

  const open = () => {
    if (!panel.hidden) return;
    panel.hidden = false;
    host.shown(true);
    void load().then(() => conversation.seen(!panel.hidden));
    conversation.seen(true);
    view.input.focus({ preventScroll: true });
    emit('open');
  };
  const close = () => {
    if (panel.hidden) return;
    panel.hidden = true;
    conversation.seen(false);
    host.shown(false);
    emit('close');
  };
  return {
    open,
    close,
    ask(text) {
      open();
      void load().then(() => conversation.ask(text));
    },
    async identify(told) {
      if (identity !== null && sameVisitor(identity, told)) return;
      identity = told;
      const { user, at = 0 } = sessions.kept;
      const isKnown = user !== undefined && user === visitorIn(told) && Date.now() - at < 12 * 3_600_000;
      if (!isKnown) {
        if (user !== undefined && user !== visitorIn(told)) sessions.set(null);
        await api.identify(told);
        sessions.keep({ user: visitorIn(told), at: Date.now() });
        conversation.reset();
        loaded = undefined;
      }
      if (!panel.hidden) await load();
    },
    async logout() {
      identity = null;
      await api.logout();
      sessions.set(null);
      conversation.reset();
      loaded = undefined;
      if (!panel.hidden) await load();
      else view.clear();
    },
  };
}
