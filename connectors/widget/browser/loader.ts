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
    /** Set once a tag was executed. Another tag only puts back an element that the page removed. */
    parleyIsHere?: () => void;
  }
}

const tagName = 'parley-widget';
/** More than the height of any browser's scrollbar. */
const scrollbarPx = 40;
/** Pauses before the look is requested again if the server is unreachable. */
const pausesMs = [2_000, 10_000, 60_000];

function initialise(script: HTMLScriptElement, token: string): void {
  const base = new URL('.', script.src).href.replace(/\/$/, '');
  const listeners = new Map<string, Set<Listener>>();
  const emit = (name: EventName, detail?: unknown) => {
    for (const callback of listeners.get(name) ?? []) callback(detail);
  };
  const waiting: unknown[][] = [...(window.Parley?.q ?? [])].map((command) => [...command]);
  let runCommand: ((command: unknown[]) => void) | null = null;

  const listen = (name: unknown, callback: unknown, isOn: boolean) => {
    if (typeof callback !== 'function') return;
    const known = listeners.get(String(name)) ?? new Set<Listener>();
    listeners.set(String(name), known);
    const listener = wrapListener(callback);
    const isNew = !known.has(listener);
    if (isOn) known.add(listener);
    else known.delete(listener);
    // A listener that is added late still receives `ready`.
    if (isOn && isNew && name === 'ready' && runCommand !== null) queueMicrotask(() => listener(undefined));
  };
  const parley = (...command: unknown[]) => {
    const [name, first, second] = command;
    if (name === 'on' || name === 'off') listen(first, second, name === 'on');
    else if (runCommand === null) waiting.push(command);
    else runCommand(command);
  };
  window.Parley = parley;
  for (const command of waiting.splice(0)) parley(...command);

  const language = script.dataset.lang || document.documentElement.lang || navigator.languages.join(',');
  void fetchLook(`${base}/widget/${token}/config?lang=${encodeURIComponent(language)}`).then((look) => {
    if (look === null) return;
    runCommand = launch({ base, token, look, emit });
    emit('ready');
    for (const command of waiting.splice(0)) runCommand(command);
  });
}

const wrappers = new WeakMap<object, Listener>();

function wrapListener(callback: object): Listener {
  const known = wrappers.get(callback);
  if (known !== undefined) return known;
  const listener: Listener = (detail) => {
    if (typeof callback === 'function') Reflect.apply(callback, undefined, [detail]);
  };
  wrappers.set(callback, listener);
  return listener;
}

/**
 * Fetches the look. Returns null if this page has no widget or the server is unreachable; the page then stays
 * unchanged.
 */
async function fetchLook(address: string): Promise<Look | null> {
  for (const pause of [...pausesMs, 0]) {
    const response = await fetch(address, { credentials: 'omit' }).catch(() => null);
    if (response?.ok) return response.json();
    if (response !== null && response.status < 500 && response.status !== 429) {
      const problem: { detail?: string } = await response.json().catch(() => ({}));
      // biome-ignore lint/suspicious/noConsole: integrators look for errors there.
      console.warn(`Parley: ${problem.detail ?? response.status}`);
      return null;
    }
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return null;
}

/** Adds the button to the page. The chat is fetched when the button is used. */
function launch({ base, token, look, emit }: Pick<ChatHost, 'base' | 'token' | 'look' | 'emit'>) {
  // Pages that hide `:not(:defined)` would hide this element for ever.
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
  // A page that replaces its whole body did not mean to remove the widget. One that removes the element did.
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
  const identify = (chat: Chat, newIdentity: Identity) =>
    chat.identify(newIdentity).catch(() => emit('error', { code: 'verification_required' }));
  const load = () => {
    // Browsers cache a module that failed to load, so a retry needs another address.
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
 * If the body is transformed or filtered, it contains fixed elements, not the screen. The top layer avoids this, but is
 * above everything that the page puts above the widget with z-index, so it is used only for such pages.
 */
function keepOnScreen(element: HTMLElement): void {
  const isOffScreen = Math.abs(element.getBoundingClientRect().bottom - innerHeight) > scrollbarPx;
  if (!isOffScreen || !('showPopover' in element)) return;
  element.popover = 'manual';
  element.showPopover();
}

/** Sets the `theme` and the custom properties of the look. */
function set(element: HTMLElement, given: unknown): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (name === 'theme') element.dataset.theme = String(value);
    else element.style.setProperty(`--parley-${name.replaceAll('_', '-')}`, String(value));
  }
}

function isIdentity(value: unknown): value is Identity {
  return typeof value === 'object' && value !== null && ('verification_token' in value || 'user' in value);
}

/** Whether an agent may write to this visitor. */
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
  const start = () => initialise(script, token);
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(start, { timeout: 2_000 }) : setTimeout(start, 200);
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
}
