import { Api } from './conversation/api.ts';
import { isSameVisitor, parseVisitorId, StoredSession } from './conversation/session-store.ts';
import { startConversation } from './conversation/start-conversation.ts';
import type { Chat, ChatHost, Identity } from './types.ts';
import { createAccentSheet, h } from './view/dom.ts';
import { trackViewport, trapFocus } from './view/focus.ts';

const identityMs = 12 * 3_600_000;

/** Puts the chat into the shadow of the page, closed. */
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
      sessions.keep({ watch: state.status === 'waiting' || state.status === 'person' });
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
  let shown: string | null = null;
  const load = () => {
    shown = sessions.get();
    loaded ??= conversation.load();
    return loaded;
  };
  const forget = () => {
    conversation.reset();
    loaded = undefined;
  };
  /** Shows what there is; in another tab the visitor may have logged in or out. */
  const update = () => {
    if (shown !== null && sessions.get() !== shown) forget();
    void load();
    conversation.seen(!panel.hidden && !document.hidden);
  };
  if (sessions.kept.watch === true) void load();
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
    async identify(told) {
      if (identity !== null && isSameVisitor(identity, told)) return;
      identity = told;
      const { user, at = 0 } = sessions.kept;
      const isKnown = user !== undefined && user === parseVisitorId(told) && Date.now() - at < identityMs;
      if (user !== undefined && user !== parseVisitorId(told)) sessions.set(null);
      await api.identify(told, { isKnown });
      if (!isKnown) {
        sessions.keep({ user: parseVisitorId(told), at: Date.now() });
        forget();
      }
      if (!panel.hidden) await load();
    },
    async logout() {
      identity = null;
      await api.logout();
      sessions.set(null);
      forget();
      if (!panel.hidden) await load();
    },
  };
}
