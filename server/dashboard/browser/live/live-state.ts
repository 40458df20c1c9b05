import { useEffect, useSyncExternalStore } from 'react';
import type { LiveFrame, PresentPerson } from './frames.ts';
import type { LiveState } from './line.ts';

type Listener = () => void;
type OnFrame = (frame: LiveFrame, isLeader: boolean) => void;

let state: LiveState = 'connecting';
let version: string | null = null;
let leads = false;
let present: ReadonlyMap<string, readonly PresentPerson[]> = new Map();
let typing: ReadonlyMap<string, number> = new Map();
const listeners = new Set<Listener>();
const frameListeners = new Set<OnFrame>();

/** Milliseconds for which a visitor counts as typing. */
const typingMs = 6_000;

function change(): void {
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setLiveState(next: LiveState): void {
  state = next;
  if (next !== 'live') present = new Map();
  change();
}

/** Keeps the state in frames that no query holds: presence, typing, and the server's build. */
export function keepFrame(frame: LiveFrame, isLeader: boolean): void {
  leads = isLeader;
  if (frame.event === 'hello') {
    version = frame.version;
    present = new Map();
  } else if (frame.event === 'presence') {
    present = new Map([...present, [frame.id, frame.people] as const]);
    if (frame.people.length === 0) present = without(present, frame.id);
  } else if (frame.event === 'typing') keepTyping(frame.id);
  else if (frame.event === 'conversation' && frame.change === 'message') typing = without(typing, frame.id);
  for (const listener of [...frameListeners]) listener(frame, isLeader);
  change();
}

function keepTyping(id: string): void {
  const until = performance.now() + typingMs;
  typing = new Map([...typing, [id, until] as const]);
  setTimeout(() => {
    if (typing.get(id) !== until) return;
    typing = without(typing, id);
    change();
  }, typingMs);
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([each]) => each !== key));
}

/** Whether this tab reads the stream for all tabs of the browser. */
export function leadsStream(): boolean {
  return leads;
}

/** Forgets what another workspace told. */
export function resetLive(): void {
  present = new Map();
  typing = new Map();
  setLiveState('connecting');
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribe, () => state);
}

/** The build of the server; null if it did not report one. */
export function useServerBuild(): string | null {
  return useSyncExternalStore(subscribe, () => version);
}

const nobody: readonly PresentPerson[] = [];

/** Everybody who has the conversation open, oneself included. */
export function usePresent(conversation: string): readonly PresentPerson[] {
  return useSyncExternalStore(subscribe, () => present.get(conversation) ?? nobody);
}

/** Whether the visitor of the conversation writes. */
export function useVisitorTyping(conversation: string): boolean {
  return useSyncExternalStore(subscribe, () => typing.has(conversation));
}

/**
 * Calls `onFrame` for each frame while the component is shown. Queries need no call: the stream refreshes those that
 * a frame makes stale. Memoise the function.
 */
export function useLive(onFrame: OnFrame): void {
  useEffect(() => {
    frameListeners.add(onFrame);
    return () => {
      frameListeners.delete(onFrame);
    };
  }, [onFrame]);
}

/** The interval of a query that the stream refreshes: none while the stream is live. */
export function unlessLive(ms: number | false): number | false {
  return state === 'live' ? false : ms;
}
