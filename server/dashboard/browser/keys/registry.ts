import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** One thing that a key does. It is listed in the command menu, in the overlay of keys and in tooltips. */
export interface KeyAction {
  readonly id: string;
  /** As the person reads it. */
  readonly name: string;
  /** `g k` one after the other, `mod+k` together, `?` as typed. An action without keys is only in the command menu. */
  readonly keys?: string;
  readonly run: () => void;
  /** Whether it takes precedence over others with the same keys, also later ones. It is checked at each press. */
  readonly isFirst?: () => boolean;
  /** Whether it repeats while the key is held. */
  readonly repeats?: boolean;
  /** Whether a focused text field keeps the combination, such as Ctrl A. */
  readonly leavesText?: boolean;
  /** `here` for actions of the open screen. */
  readonly scope: 'everywhere' | 'here';
}

/** The actions of a component that is shown. */
interface Offer {
  given: readonly KeyAction[];
}

/** The offers in the order in which the components came. */
let offers: readonly Offer[] = [];
/** All offered actions, with the keys that the person chose. */
let actions: readonly KeyAction[] = [];
let ownKeys: Readonly<Record<string, string | null>> = {};
let singleKeys = true;
const listeners = new Set<() => void>();

function collect(): void {
  actions = offers.flatMap(({ given }) => given.map(withOwnKeys));
}

function tell(): void {
  for (const listener of listeners) listener();
}

function withOwnKeys(action: KeyAction): KeyAction {
  const own = ownKeys[action.id];
  if (own === undefined || action.keys === undefined) return action;
  const { keys: _given, ...rest } = action;
  return own === null ? rest : { ...rest, keys: own };
}

/** Applies the person's choices by the id of an action: other keys, or null for none. */
export function chooseKeys(chosen: Readonly<Record<string, string | null>>): void {
  ownKeys = chosen;
  collect();
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Offers actions while the calling component is shown. Memoise the list: a new one replaces the one before. */
export function useKeyActions(given: readonly KeyAction[]): void {
  const [offer] = useState<Offer>(() => ({ given: [] }));
  // This runs before the paint: a person presses a key as soon as they see what it is for.
  useLayoutEffect(() => {
    offers = [...offers, offer];
    return () => {
      offers = offers.filter((other) => other !== offer);
      collect();
    };
  }, [offer]);
  useLayoutEffect(() => {
    offer.given = given;
    collect();
  }, [offer, given]);
  // This runs after the paint: tooltips and menus that show keys can wait.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what is told
  useEffect(() => {
    tell();
    return tell;
  }, [given]);
}

/** All actions that are offered now. */
export function useOfferedActions(): readonly KeyAction[] {
  return useSyncExternalStore(subscribe, () => actions);
}

/** The current keys of an action; none if the person switched them off. */
export function useKeysOf(id: string): string | undefined {
  return useOfferedActions().findLast((action) => action.id === id)?.keys;
}

/** Switches actions of single keys off and on. Combinations with Ctrl or ⌘ work in either case. */
export function allowSingleKeys(allowed: boolean): void {
  singleKeys = allowed;
}

/** Milliseconds between the keys of a sequence. */
const sequenceMs = 1_000;

/** Listens to the keyboard. Returns a function that ends it. */
export function listenToKeys(target: Window): () => void {
  let begun = '';
  let begunAt = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = readKey(event);
    if (key === null) return;
    if (isOff(key, event)) return;
    const sequence = event.timeStamp - begunAt < sequenceMs && begun !== '' ? `${begun} ${key}` : key;
    const found = findAction(sequence) ?? findAction(key);
    if (found !== undefined) {
      if (isLeft(found, event)) return;
      begun = '';
      event.preventDefault();
      found.run();
      return;
    }
    begun = actions.some(({ keys }) => keys?.startsWith(`${key} `)) ? key : '';
    begunAt = event.timeStamp;
  };
  target.addEventListener('keydown', onKey);
  return () => target.removeEventListener('keydown', onKey);
}

/** Whether single keys do nothing now. */
function isOff(key: string, event: KeyboardEvent): boolean {
  return !key.startsWith('mod+') && (!singleKeys || isTyping(event) || isDialogOpen());
}

/** Whether a key is not for an action: held down, or for the text field. */
function isLeft({ repeats = false, leavesText = false }: KeyAction, event: KeyboardEvent): boolean {
  return (event.repeat && !repeats) || (leavesText && (isTyping(event) || isDialogOpen()));
}

/** The component that was mounted last wins, so that a screen can take a key over. */
function findAction(keys: string): KeyAction | undefined {
  const found = actions.filter((action) => action.keys === keys);
  return found.findLast(({ isFirst }) => isFirst?.() === true) ?? found.at(-1);
}

/** The key as the registry writes it; null for Shift and the like. A layout without Latin letters is read by the place of the key. */
export function readKey(event: KeyboardEvent): string | null {
  const { key, code, altKey, ctrlKey, metaKey } = event;
  if (altKey && !ctrlKey) return null;
  const isLatin = key.length === 1 && key.charCodeAt(0) < 128;
  const letter = !isLatin && code.startsWith('Key') ? code.slice(3) : key;
  if (letter === 'Shift' || letter === 'Control' || letter === 'Meta' || letter === 'Alt') return null;
  const isShifted = event.shiftKey && /^[a-z]$/i.test(letter);
  const name = `${isShifted ? 'shift+' : ''}${letter.length === 1 ? letter.toLowerCase() : letter}`;
  return ctrlKey || metaKey ? `mod+${name}` : name;
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="combobox"]');
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="listbox"][data-open]') !== null;
}

const isApple = navigator.platform.startsWith('Mac') || navigator.platform.startsWith('iP');

/** The signs of keys as they are printed on a keyboard: `mod+k` is ⌘ K on Apple's and Ctrl K on others. */
export function keySigns(keys: string): readonly string[] {
  return keys
    .split(' ')
    .flatMap((step) => step.split('+'))
    .map((key) => {
      if (key === 'mod') return isApple ? '⌘' : 'Ctrl';
      if (key === 'shift') return '⇧';
      if (key === 'Enter') return '⏎';
      return key.length === 1 ? key.toUpperCase() : key;
    });
}
