import { useEffect } from 'react';
import { useSearchValues } from '../use-search-values.ts';

/** How long a page may take to draw its fields, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Focuses and marks the field that the address names with `field`, such as the command menu does, once it is drawn. The mark
 * stays until another field is focused.
 */
export function useMarkedField(): void {
  const { values } = useSearchValues();
  const { field } = values;
  useEffect(() => {
    if (field === undefined) return;
    let marked: Element | null = null;
    const unmark = ({ target }: FocusEvent) => {
      if (target instanceof Node && marked?.contains(target) === true) return;
      marked?.removeAttribute('data-marked');
    };
    const find = (): boolean => {
      marked = document.querySelector(`[data-field~="${CSS.escape(field)}"]`);
      if (marked === null) return false;
      marked.setAttribute('data-marked', 'true');
      marked.scrollIntoView({ block: 'center' });
      marked.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true });
      document.addEventListener('focusin', unmark);
      return true;
    };
    const observer = new MutationObserver(() => find() && observer.disconnect());
    if (!find()) observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), PATIENCE_MS);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      document.removeEventListener('focusin', unmark);
      marked?.removeAttribute('data-marked');
    };
  }, [field]);
}
