import { Api } from './conversation/api.ts';
import { isSameVisitor, parseVisitorId, StoredSession } from './conversation/session-store.ts';
import { startConversation } from './conversation/start-conversation.ts';
import type { Chat, ChatHost, Identity } from './types.ts';
import { createAccentSheet, h } from './view/dom.ts';
import { trackViewport, trapFocus } from './view/focus.ts';

const identityMs = 12 * 3_600_000;

/** Mounts the chat in the shadow root, closed. */
export function mount(host: ChatHost): Chat {
  const { look, root, emit } = host;
  const sessions = new StoredSession(host.token);
  const api = new Api({ base: `${host.base}/widget/${host.token}`, sessions, language: look.language });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CHAT_STYLE);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet, createAccentSheet(look.accent)];

  const { conversation, view } = startConversation(api, {
    look,
    emit,
    changed(state) {
      sessions.update({ watch: state.status === 'waiting' || state.status === 'person' });
      host.unread(state.unread);
    },
    close: () => close(),
  });
  const panel = h(
    'section',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    view.element,
  );
  panel.dataset.position = look.position;
  root.append(panel);
  trapFocus(panel, () => close());
  trackViewport(panel);

  let identity: Identity | null = null;
  let loaded: Promise<void> | undefined;
  let shownSession: string | null = null;
  const load = () => {
    shownSession = sessions.get();
    loaded ??= conversation.load();
    return loaded;
  };
  const resetConversation = () => {
    conversation.reset();
    loaded = undefined;
  };
  /** Shows the current state. The visitor may have logged in or out in another tab. */
  const update = () => {
    if (shownSession !== null && sessions.get() !== shownSession) resetConversation();
    void load();
    conversation.seen(!panel.hidden && !document.hidden);
  };
  if (sessions.state.watch === true) void load();
  document.addEventListener('visibilitychange', () => {
    if (loaded !== undefined) update();
  });

  const open = () => {
    if (!panel.hidden) return;
    panel.hidden = false;
    host.shown(true);
    update();
    view.focus();
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
    async identify(newIdentity) {
      if (identity !== null && isSameVisitor(identity, newIdentity)) return;
      identity = newIdentity;
      const { user, at = 0 } = sessions.state;
      const isKnown =
        user !== undefined && user === parseVisitorId(newIdentity) && Date.now() - at < identityMs;
      if (user !== undefined && user !== parseVisitorId(newIdentity)) sessions.set(null);
      await api.identify(newIdentity, { isKnown });
      if (!isKnown) {
        sessions.update({ user: parseVisitorId(newIdentity), at: Date.now() });
        resetConversation();
      }
      if (!panel.hidden) await load();
    },
    async logout() {
      identity = null;
      await api.logout();
      sessions.set(null);
      resetConversation();
      if (!panel.hidden) await load();
    },
  };
}
