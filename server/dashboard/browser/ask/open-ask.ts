import { useSyncExternalStore } from 'react';

/** The panel as it is open: with the question to ask first, which may be empty. Null while it is closed. */
interface OpenAsk {
  readonly question: string;
}

let state: OpenAsk | null = null;
const listeners = new Set<() => void>();

function change(next: OpenAsk | null): void {
  state = next;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the panel that asks on trial, and asks `question` if there is one. */
export function openAsk(question = ''): void {
  change({ question });
}

export function closeAsk(): void {
  change(null);
}

export function useOpenAsk(): OpenAsk | null {
  return useSyncExternalStore(subscribe, () => state);
}
