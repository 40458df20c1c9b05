import type { Chat, ChatHost, EventName, Identity, Look } from './types.ts';
import { createAccentSheet, h, icon, icons } from './view/dom.ts';

type Listener = (detail: unknown) => void;

interface ParleyFunction {
  (...command: unknown[]): unknown;
  q?: IArguments[] | unknown[][];
}

declare global {
  interface Window {
    Parley?: ParleyFunction;
    /** There once a tag was read: a second one changes nothing, but puts back what the page has taken away. */
    parleyIsHere?: () => void;
  }
}

const tagName = 'parley-widget';
/** More than any browser's scrollbar takes of the screen's height. */
const scrollbarPx = 40;
/** Pauses before the look is asked for again where the server is not reached. */
const pausesMs = [2_000, 10_000, 60_000];

function begin(script: HTMLScriptElement, token: string): void {
  const base = new URL('.', script.src).href.replace(/\/$/, '');
  const listeners = new Map<string, Set<Listener>>();
  const emit = (name: EventName, detail?: unknown) => {
    for (const hear of listeners.get(name) ?? []) hear(detail);
  };
  const waiting: unknown[][] = [...(window.Parley?.q ?? [])].map((command) => [...command]);
  let act: ((command: unknown[]) => void) | null = null;

  const listen = (name: unknown, hear: unknown, isOn: boolean) => {
    if (typeof hear !== 'function') return;
    const known = listeners.get(String(name)) ?? new Set<Listener>();
    listeners.set(String(name), known);
    const listener = wrapped(hear);
    const isNew = !known.has(listener);
    if (isOn) known.add(listener);
    else known.delete(listener);
    // A listener added late still hears that the widget is there.
    if (isOn && isNew && name === 'ready' && act !== null) queueMicrotask(() => listener(undefined));
  };
  const parley = (...command: unknown[]) => {
    const [name, first, second] = command;
    if (name === 'on' || name === 'off') listen(first, second, name === 'on');
    else if (act === null) waiting.push(command);
    else act(command);
  };
  window.Parley = parley;
  for (const command of waiting.splice(0)) parley(...command);

  const language = script.dataset.lang || document.documentElement.lang || navigator.languages.join(',');
  void fetchLook(`${base}/widget/${token}/config?lang=${encodeURIComponent(language)}`).then((look) => {
    if (look === null) return;
    act = launch({ base, token, look, emit });
    emit('ready');
    for (const command of waiting.splice(0)) act(command);
  });
}

const wrappers = new WeakMap<object, Listener>();

function wrapped(hear: object): Listener {
  const known = wrappers.get(hear);
  if (known !== undefined) return known;
  const listener: Listener = (detail) => {
    if (typeof hear === 'function') Reflect.apply(hear, undefined, [detail]);
  };
  wrappers.set(hear, listener);
  return listener;
}

/** Null where there is no widget for this page, or the server is not reached: the page is as if it was not there. */
async function fetchLook(address: string): Promise<Look | null> {
  for (const pause of [...pausesMs, 0]) {
    const response = await fetch(address, { credentials: 'omit' }).catch(() => null);
    if (response?.ok) return response.json();
    if (response !== null && response.status < 500 && response.status !== 429) {
      const told: { detail?: string } = await response.json().catch(() => ({}));
      // biome-ignore lint/suspicious/noConsole: whoever puts the widget on a page looks there.
      console.warn(`Parley: ${told.detail ?? response.status}`);
      return null;
    }
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return null;
}

/** Puts the button on the page; what it opens is fetched when it is pressed. */
function launch({ base, token, look, emit }: Pick<ChatHost, 'base' | 'token' | 'look' | 'emit'>) {
  // Pages that hide `:not(:defined)` until their own elements are defined would hide this one for ever.
  if (!customElements.get(tagName)) customElements.define(tagName, class extends HTMLElement {});
  const element = document.createElement(tagName);
  const root = element.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER_STYLE);
  root.adoptedStyleSheets = [sheet, createAccentSheet(look.accent)];
  element.dataset.theme = look.theme;
  const { texts } = look;
  const badge = h('span', { class: 'badge', hidden: true });
  const trouble = h('span', { class: 'trouble', role: 'status' });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'launcher',
      'aria-label': texts.open,
      'aria-expanded': 'false',
      'aria-haspopup': 'dialog',
    },
    icon(...icons.chat),
    icon(...icons.down),
    badge,
  );
  const box = h('div', { class: 'launch', dir: look.direction, lang: look.language }, trouble, button);
  box.dataset.position = look.position;
  root.append(box);
  const putBack = () => {
    if (!element.isConnected) document.body.append(element);
    keepOnScreen(element);
  };
  putBack();
  window.parleyIsHere = putBack;
  let { body } = document;
  // A page that replaces its body did not mean the widget. One that removes the element alone did.
  new MutationObserver(() => {
    if (document.body === null || document.body === body) return;
    body = document.body;
    putBack();
  }).observe(document.documentElement, { childList: true });

  let isOpen = false;
  const host: ChatHost = {
    base,
    token,
    look,
    root,
    emit,
    unread(count) {
      badge.hidden = count === 0;
      badge.textContent = count > 9 ? '9+' : String(count);
      const unread = (texts.unread ?? '').replace('{count}', String(count));
      button.setAttribute('aria-label', count === 0 || isOpen ? labelOf() : `${labelOf()}, ${unread}`);
      emit('unread', { count });
    },
    shown(now) {
      isOpen = now;
      button.setAttribute('aria-expanded', String(now));
      button.setAttribute('aria-label', labelOf());
      box.classList.toggle('open', now);
      if (!now) button.focus({ preventScroll: true });
    },
  };
  const labelOf = () => (isOpen ? texts.close : texts.open) ?? '';
  let loading: Promise<Chat> | undefined;
  let failures = 0;
  let identity: Identity | null = null;
  const identify = (chat: Chat, told: Identity) =>
    chat.identify(told).catch(() => emit('error', { code: 'verification_required' }));
  const load = () => {
    // Browsers remember a module that could not be fetched: only another address is fetched again.
    const address = `${base}${look.script}${failures > 0 ? `?try=${failures}` : ''}`;
    loading ??= import(address)
      .then(async ({ mount }: { mount: (host: ChatHost) => Chat }) => {
        const chat = mount(host);
        if (identity !== null) await identify(chat, identity);
        return chat;
      })
      .catch((error: unknown) => {
        loading = undefined;
        failures += 1;
        throw error;
      });
    return loading;
  };
  const use = (then: (chat: Chat) => unknown) => {
    putBack();
    box.classList.add('loading');
    load()
      .then(then)
      .catch(() => {
        trouble.textContent = texts.unavailable ?? '';
        setTimeout(() => {
          trouble.textContent = '';
        }, 5_000);
        emit('error', { code: 'unreachable' });
      })
      .finally(() => box.classList.remove('loading'));
  };
  button.addEventListener('click', () => use((chat) => (isOpen ? chat.close() : chat.open())));
  button.addEventListener('pointerenter', () => void load().catch(() => undefined), {
    once: true,
    passive: true,
  });
  if (isWatching(token)) use(() => undefined);

  return ([name, detail]: unknown[]) => {
    if (name === 'open') use((chat) => chat.open());
    else if (name === 'close' && loading !== undefined) use((chat) => chat.close());
    else if (name === 'toggle') button.click();
    else if (name === 'ask' && typeof detail === 'string') use((chat) => chat.ask(detail));
    else if (name === 'identify' && isIdentity(detail)) {
      identity = detail;
      loading?.then((chat) => identify(chat, detail)).catch(() => undefined);
    } else if (name === 'logout') {
      identity = null;
      use((chat) => chat.logout());
    } else if (name === 'set') set(element, detail);
  };
}

/**
 * A transformed or filtered body, and not the screen, holds what is fixed in it. The top layer is outside of it, but
 * above everything the page puts above the widget by z-index, so it is used for such pages only.
 */
function keepOnScreen(element: HTMLElement): void {
  const isAstray = Math.abs(element.getBoundingClientRect().bottom - innerHeight) > scrollbarPx;
  if (!isAstray || !('showPopover' in element)) return;
  element.popover = 'manual';
  element.showPopover();
}

/** `theme` and the custom properties of the look. */
function set(element: HTMLElement, given: unknown): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (name === 'theme') element.dataset.theme = String(value);
    else element.style.setProperty(`--parley-${name.replaceAll('_', '-')}`, String(value));
  }
}

function isIdentity(value: unknown): value is Identity {
  return typeof value === 'object' && value !== null && ('verification_token' in value || 'user' in value);
}

/** Whether a person may say something to this visitor. */
function isWatching(token: string): boolean {
  try {
    return JSON.parse(localStorage.getItem(`parley:${token}`) ?? '{}').watch === true;
  } catch {
    return false;
  }
}

const script = document.currentScript;
if (window.parleyIsHere !== undefined) window.parleyIsHere();
else if (script instanceof HTMLScriptElement && script.dataset.token) {
  const { token } = script.dataset;
  window.parleyIsHere = () => {};
  const start = () => begin(script, token);
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(start, { timeout: 2_000 }) : setTimeout(start, 200);
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
}
